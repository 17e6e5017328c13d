# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What servers answer with: cut off, refused, unmetered, by another model,
streamed, and held to a schema or not."""

import json

import pytest

from scripted_server import (
    KEY, answer, completion, delta, error, events, http, silence, stream,
)


def fails(result, *parts):
    assert result.code == 1, result.out
    for part in parts:
        assert part in result.err, result.err


def test_cut_off(serve, chat):
    result = chat(serve(answer("half an an", finish="length")))
    fails(result, "was cut off at the limit on output tokens", "allow more")
    assert result.out == "half an an\n"


@pytest.mark.parametrize("step, part", [
    (answer("I must not", finish="content_filter"), "declined to answer: I must not"),
    (answer(None, refusal="I will not."), "declined to answer: I will not."),
])
def test_refused(serve, chat, step, part):
    server = serve(step)
    result = chat(server)
    fails(result, part)
    assert result.out == ""
    assert len(server.requests) == 1
    result = chat(server, "--json")
    assert result.code == 1 and result.answer["finish"] == "refused"


@pytest.mark.parametrize("finish, part", [
    ("tool_calls", "unknown reason 'tool_calls'"),
    (None, "does not say how it ended")])
def test_unknown_ends(serve, chat, finish, part):
    fails(chat(serve(answer("yes", finish=finish))), part)


@pytest.mark.parametrize("content", ["", "  ", None])
def test_empty_answers(serve, chat, content):
    fails(chat(serve(answer(content))), "is empty")


@pytest.mark.parametrize("usage", [None, (-1, -1), (11, -1), (1.5, 3), ("11", 3),
                                   (True, True), ([], {}), (1e30, 3)])
def test_missing_usage_is_an_upper_bound(serve, chat, usage):
    result = chat(serve(answer("yes", usage=usage)), "--json", "--max-tokens", "50")
    assert result.answer["usage"]["known"] is False
    assert result.answer["usage"]["output_tokens"] == 50
    assert result.answer["usage"]["input_tokens"] >= len("Say yes.")
    assert any("an upper bound is counted" in each for each in result.answer["notes"])


def test_a_count_that_is_none_is_said(serve, chat):
    notes = chat(serve(answer("yes", usage=(11, -3))), "--json").answer["notes"]
    assert any("is no number of them" in each for each in notes)


def test_another_model(serve, chat):
    server = serve(answer("yes", model="cheaper"))
    fails(chat(server), "asked for model 'm', 'cheaper' answered")
    result = chat(server, "--allow-other-model", "--json")
    assert result.answer["model"] == "cheaper"
    assert result.answer["notes"] == ["asked for model 'm', 'cheaper' answered"]


def test_a_server_that_names_no_model(serve, chat):
    result = chat(serve(answer("yes", model=None)), "--json")
    assert result.answer["model"] == "m"
    assert "does not say which model" in result.answer["notes"][0]


def test_dated_names_are_the_same_model_where_the_provider_has_them(serve, chat):
    openai = {"provider": "openai", "variable": "OPENAI_API_KEY", "model": "gpt-4o"}
    result = chat(serve(answer("yes", model="gpt-4o-2024-08-06")), "--json", **openai)
    assert result.code == 0 and "gpt-4o-2024-08-06" in result.answer["notes"][0]
    fails(chat(serve(answer("yes", model="gpt-4o-mini")), **openai),
          "'gpt-4o-mini' answered")
    fails(chat(serve(answer("yes", model="m-2024-08-06"))), "answered")


def test_openai_has_its_own_names(serve, chat):
    server = serve(answer("yes", model="gpt-4o"))
    assert chat(server, provider="openai", variable="OPENAI_API_KEY",
                model="gpt-4o").code == 0
    assert "max_completion_tokens" in server.requests[0].body
    assert "max_tokens" not in server.requests[0].body


# Anthropic's messages.


def message(text="yes", stop="end_turn", model="claude-x"):
    return {"type": "message", "model": model, "stop_reason": stop,
            "content": [{"type": "thinking", "thinking": "hm"},
                        {"type": "text", "text": text}],
            "usage": {"input_tokens": 12, "output_tokens": 4}}


CLAUDE = {"provider": "anthropic", "variable": "ANTHROPIC_API_KEY", "model": "claude-x"}


def test_anthropic(serve, chat, tmp_path):
    (tmp_path / "system").write_text("Be short.")
    server = serve(http(200, message()))
    result = chat(server, "--system", "system", "--json", "--seed", "1", **CLAUDE)
    assert result.code == 0, result.err
    assert result.answer["text"] == "yes"
    assert result.answer["usage"] == {"input_tokens": 12, "output_tokens": 4,
                                      "known": True}
    assert result.answer["notes"] == [
        "provider 'anthropic' takes no seed: it was not sent"]
    request, = server.requests
    assert request.line == "POST /v1/messages HTTP/1.1"
    assert request.headers["x-api-key"] == KEY
    assert request.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in request.headers
    assert request.body == {
        "model": "claude-x", "max_tokens": 4096, "system": "Be short.",
        "messages": [{"role": "user", "content": "Say yes."}]}


@pytest.mark.parametrize("stop, part", [
    ("max_tokens", "was cut off"), ("refusal", "declined"),
    ("pause_turn", "unknown reason")])
def test_anthropic_ends(serve, chat, stop, part):
    fails(chat(serve(http(200, message(stop=stop))), **CLAUDE), part)


def claude_events(*texts, stop="end_turn"):
    documents = [
        {"type": "message_start", "message": {
            "model": "claude-x", "usage": {"input_tokens": 12, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0,
         "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        *[{"type": "content_block_delta", "index": 0,
           "delta": {"type": "text_delta", "text": text}} for text in texts],
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop},
         "usage": {"output_tokens": 4}},
        {"type": "message_stop"}]
    return "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n"
                   for each in documents)


def test_anthropic_stream(serve, chat):
    server = serve(stream(claude_events("y", "es"), cut=7, stall=True))
    result = chat(server, "--stream", "--json", **CLAUDE)
    assert result.code == 0, result.err
    assert result.answer["text"] == "yes"
    assert result.answer["usage"] == {"input_tokens": 12, "output_tokens": 4,
                                      "known": True}


def test_anthropic_stream_error(serve, chat):
    overloaded = 'event: error\ndata: {"type": "error", "error": {"type": ' \
        '"overloaded_error", "message": "Overloaded"}}\n\n'
    text = claude_events("y")
    half = text[:text.index("event: content_block_stop")]
    server = serve(stream(half + overloaded), stream(claude_events("yes")))
    result = chat(server, "--stream", "--json", **CLAUDE)
    assert result.answer["text"] == "yes"
    assert "ended the stream with an error: 'Overloaded'" in result.answer["notes"][0]
    assert len(server.requests) == 2


# Streams of chat completions.


WHOLE = (delta("y"), delta("é"), delta(finish="stop"), delta(usage=(11, 3)))


@pytest.mark.parametrize("cut", [1, 2, 3, 7, None])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_streams_cut_anywhere(serve, chat, cut, ending):
    text = ": a comment\n\n" + events(*WHOLE)
    server = serve(stream(text.replace("\n", ending), cut=cut))
    result = chat(server, "--stream", "--json")
    assert result.code == 0, result.err
    assert result.answer == {
        "text": "yé", "finish": "complete", "model": "m",
        "usage": {"input_tokens": 11, "output_tokens": 3, "known": True}}
    assert server.requests[0].body["stream"] is True
    assert server.requests[0].body["stream_options"] == {"include_usage": True}


def test_stream_without_done(serve, chat):
    result = chat(serve(stream(events(*WHOLE, done=False))), "--stream", "--json")
    assert result.answer["text"] == "yé"
    assert result.answer["notes"] == ["the stream had no end mark"]


def test_stream_that_hangs_after_done(serve, chat):
    assert chat(serve(stream(events(*WHOLE), stall=True)), "--stream").out == "yé\n"


def test_stream_that_breaks_off(serve, chat):
    server = serve(stream(events(delta("y"), done=False)), stream(events(*WHOLE)))
    result = chat(server, "--stream", "--json")
    assert result.answer["text"] == "yé"
    assert "without the answer's end" in result.answer["notes"][0]
    assert result.answer["usage"]["known"] is False
    assert len(server.requests) == 2


@pytest.mark.parametrize("first", [
    stream(events(delta("y"), done=False), stall=True), silence])
def test_stream_that_stalls(serve, chat, first):
    server = serve(first, stream(events(*WHOLE)))
    result = chat(server, "--stream", "--stall-timeout", "0.4", "--json")
    assert result.code == 0, result.err
    assert "nothing came for 0.4 s" in result.answer["notes"][0]


def test_stream_with_an_error(serve, chat):
    failure = {"error": {"message": "out of memory", "type": "server_error"}}
    server = serve(stream(events(delta("y"), failure, done=False)))
    fails(chat(server, "--stream", "--attempts", "2"), "'out of memory'",
          "(2 attempts)")
    assert len(server.requests) == 2
    fatal = {"error": {"message": "bad request", "type": "invalid_request_error"}}
    server = serve(stream(events(fatal, done=False)))
    fails(chat(server, "--stream"), "'bad request'", "change the request")
    assert len(server.requests) == 1


@pytest.mark.parametrize("text, part", [
    ("data: {nonsense\n\n", "event 1 of the stream is not JSON"),
    ("data: " + "[" * 100000 + "\n\n", "more than 64 brackets are open"),
    (b"data: \"\xff\"\n\n", "is not UTF-8"),
    ("data: " + "x" * (9 << 20), "larger than 8388608 bytes"),
    ("<html>no stream</html>", "what came is no stream but 'text/event-stream'"),
    ("", "what came is no stream"),
])
def test_streams_that_are_none(serve, chat, text, part):
    server = serve(stream(text))
    fails(chat(server, "--stream"), part)
    assert len(server.requests) == 1


def test_cut_off_and_refused_in_streams(serve, chat):
    fails(chat(serve(stream(events(delta("y"), delta(finish="length")))), "--stream"),
          "was cut off")
    fails(chat(serve(stream(events(delta(refusal="I will "), delta(refusal="not"),
                                   delta(finish="stop")))), "--stream"),
          "declined to answer: I will not")


def test_server_that_does_not_stream(serve, chat):
    result = chat(serve(answer("yes")), "--stream", "--json")
    assert result.answer["text"] == "yes"
    assert result.answer["notes"] == ["the server does not stream"]


# Schemas.


SCHEMA = json.dumps({"type": "object", "properties": {"worth": {"type": "boolean"}},
                     "required": ["worth"], "additionalProperties": False})
GOOD = '{"worth": true}'


@pytest.fixture
def schema(tmp_path):
    (tmp_path / "schema.json").write_text(SCHEMA)
    return ["--schema", "schema.json", "--schema-name", "verdict"]


def test_strict_schema(serve, chat, schema):
    server = serve(answer(GOOD))
    assert chat(server, *schema).out == GOOD + "\n"
    assert server.requests[0].body["response_format"] == {
        "type": "json_schema", "json_schema": {
            "name": "verdict", "strict": True, "schema": json.loads(SCHEMA)}}
    assert server.requests[0].body["messages"][-1]["content"] == "Say yes."


def test_schema_falls_back_step_by_step(serve, chat, schema):
    server = serve(error(400, "response_format: json_schema is unknown"),
                   error(422, "response_format is unknown"), answer(GOOD))
    result = chat(server, *schema, "--json")
    assert result.code == 0, result.err
    assert result.answer["text"] == GOOD
    assert [note[:len("the server refused json_xxxxxx")]
            for note in result.answer["notes"]] == [
        "the server refused json_schema", "the server refused json_object"]
    first, second, third = (request.body for request in server.requests)
    assert first["response_format"]["type"] == "json_schema"
    assert second["response_format"] == {"type": "json_object"}
    assert "response_format" not in third
    for body in (second, third):
        assert SCHEMA in body["messages"][-1]["content"]


def test_a_request_that_is_wrong_in_every_way(serve, chat, schema):
    server = serve(error(400, "context length exceeded"))
    fails(chat(server, *schema), "context length exceeded", "(3 attempts)")
    assert len(server.requests) == 3


def test_anthropic_schema(serve, chat, schema):
    server = serve(error(400, "output_config: unknown"), http(200, message(GOOD)))
    assert chat(server, *schema, **CLAUDE).out == GOOD + "\n"
    first, second = (request.body for request in server.requests)
    assert first["output_config"]["format"] == {"type": "json_schema",
                                                "schema": json.loads(SCHEMA)}
    assert "output_config" not in second


@pytest.mark.parametrize("text, part", [
    ('{"worth": "yes"}', "/worth: expected boolean, found string"),
    ('{"worth": true, "more": 1}', "there is no field 'more'"),
    ("{}", "the field 'worth' is missing"),
    ("Yes, it is worth it.", "is not the JSON that was asked for"),
    (f"Here you are: {GOOD}", "is not the JSON that was asked for"),
    (f"```json\n{GOOD}\n``` as you like", "is not the JSON that was asked for"),
    ("[" * 5000, "more than 64 brackets are open"),
])
def test_promises_are_checked(serve, chat, schema, text, part):
    server = serve(answer(text))
    fails(chat(server, *schema), part)
    assert len(server.requests) == 1


def test_a_fence_is_taken_off(serve, chat, schema):
    assert chat(serve(answer(f"```json\n{GOOD}\n```\n")), *schema).out == GOOD + "\n"


def test_wrong_schemas_are_not_sent(serve, chat, tmp_path):
    server = serve(answer(GOOD))
    (tmp_path / "odd.json").write_text('{"oneOf": []}')
    fails(chat(server, "--schema", "odd.json"), "/oneOf: this keyword is not among")
    assert not server.requests


def test_probe(serve, chat):
    server = serve(answer("yes"), stream(events(*WHOLE)), answer('{"prime": true}'),
                   error(400, "unknown"), answer('{"prime": false}'),
                   answer("no idea"))
    result = chat(server, "--probe")
    assert result.code == 0, result.err
    rows = {line[:22].strip(): line[22:27].strip() for line in result.out.splitlines()}
    assert rows == {"text": "yes", "stream": "yes", "json_schema": "yes",
                    "json_object": "no", "schema in the prompt": "no"}


def test_probe_of_nothing(serve, chat):
    fails(chat(serve(error(401)), "--probe"), "answers in no way")

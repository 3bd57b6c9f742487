"""Whatever a server does, what comes out is one sentence that names it and says what to do."""

from __future__ import annotations

import asyncio
import json
import random
import re
import socket

import pytest

from partner_desktop.base.errors import ConfigError, ContextOverflowError, ModelError
from partner_desktop.model.chat import ChatEvent, ChatPiece, ChatRequest
from partner_desktop.model.endpoint.address import tidy_address
from partner_desktop.model.endpoint.chat_model import EndpointChatModel
from partner_desktop.model.endpoint.constraint import DialectMemory
from partner_desktop.model.settings import EndpointModel
from tests.model.endpoint.badly import BadServer, Line, hang, raw, refusing, saying
from tests.model.endpoint.room import answer, events, model_of, request, served
from tests.support import WAIT_S, HastyClock


def closed_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


async def failure(model: EndpointChatModel, asked: ChatRequest | None = None) -> str:
    with pytest.raises(ModelError) as caught:
        await events(model, asked)
    assert type(caught.value).__module__.startswith("partner_desktop")
    return str(caught.value)


async def until_it_fails(model: EndpointChatModel) -> tuple[list[ChatEvent], str]:
    """What came before the failure, and the failure."""
    said: list[ChatEvent] = []
    try:
        async for event in model.chat(request()):
            said.append(event)  # noqa: PERF401 - what came counts, though the rest fails
    except ModelError as error:
        return said, str(error)
    raise AssertionError("it did not fail")


# --- not reached -------------------------------------------------------------------------------------------


async def test_a_server_that_is_not_there_is_named() -> None:
    async with model_of(f"http://127.0.0.1:{closed_port()}/v1") as model:
        said = await failure(model)
        assert "“cluster” (http://127.0.0.1:" in said
        assert "nothing listens there. Start the server" in said
        assert model.status().state == "failed"
        assert model.status().reason == said


async def test_a_host_that_does_not_exist_is_said_to() -> None:
    async with model_of("http://no-such-host.invalid/v1") as model:
        assert "there is no such host" in await failure(model)


async def test_a_server_without_tls_behind_https_is_said_to() -> None:
    async def plain(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(plain, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with model_of(f"https://127.0.0.1:{port}/v1") as model:
            assert "its certificate or its TLS is not in order" in await failure(model)


async def test_a_server_that_says_nothing_is_given_up_and_let_go() -> None:
    async with served(hang, answer_seconds=0.2) as (server, model):
        assert "took the request but said nothing for 0.2 s" in await failure(model)
        async with asyncio.timeout(WAIT_S):
            await server.left.wait()
    assert len(server.asked) == 1  # what took its time once is not asked to take it thrice


async def test_signs_of_life_are_no_words() -> None:
    async def drip(line: Line) -> None:
        await line.head()
        while not line.gone:
            await line.send(b": still working\n\n")
            await asyncio.sleep(0.01)  # the server's pace; nothing waits for it

    async with served(drip, answer_seconds=0.2) as (_, model):
        assert "took the request but said nothing for 0.2 s" in await failure(model)


async def test_a_server_that_falls_silent_in_its_answer_is_given_up() -> None:
    async def stall(line: Line) -> None:
        await line.head()
        await line.event({"choices": [{"delta": {"content": "Once upon"}}]})
        await line.left()

    async with served(stall, answer_seconds=0.2) as (_, model):
        said, error = await until_it_fails(model)
    assert "fell silent in the midst of its answer" in error
    assert said == [ChatPiece("Once upon")]


# --- broken answers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunked", [False, True])
async def test_of_a_cut_stream_what_came_stands_and_nothing_is_tried_again(chunked: bool) -> None:
    async def cut(line: Line) -> None:
        event = b'data: {"choices":[{"delta":{"content":"Once upon"}}]}\n\n'
        if chunked:
            await line.head(Transfer_Encoding="chunked")
            await line.send(b"%x\r\n%b\r\nff\r\nhalf" % (len(event), event))
        else:
            await line.head()
            await line.send(event)

    async with served(cut) as (server, model):
        said, error = await until_it_fails(model)
    assert "broke its answer off" in error
    assert said == [ChatPiece("Once upon")]
    assert len(server.asked) == 1


async def test_a_stream_that_fails_before_its_first_word_is_asked_for_the_reason() -> None:
    async with served(raw(b""), refusing(400, {"error": {"message": "no template"}})) as (server, model):
        assert "refused the request with status 400 (“no template”)" in await failure(model)
    assert [body["stream"] for body in server.asked][:2] == [True, False]


async def test_an_error_in_the_midst_of_a_stream_is_told_in_the_servers_words() -> None:
    async def fail(line: Line) -> None:
        await line.head()
        await line.event({"choices": [{"delta": {"content": "Once"}}]})
        await line.event({"error": {"message": "CUDA out of memory"}})

    async with served(fail) as (_, model):
        assert "reports an error (“CUDA out of memory”)" in await failure(model)


PAGE = b"\n\n<!DOCTYPE html><title>Log in to the hotel's network</title>"


@pytest.mark.parametrize(
    ("path", "advice"),
    [("/v1", "a page to log in to a network"), ("/api", "mostly it ends in /v1")],
)
async def test_a_web_page_is_recognised(path: str, advice: str) -> None:
    page = raw(PAGE, "text/html")
    async with BadServer(page, lists=page) as server, model_of(server.at(path)) as model:
        said = await failure(model)
        assert "answered with a web page" in said
        assert advice in said
        with pytest.raises(ModelError, match="answered with a web page"):
            await model.load()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "an empty answer"),
        (b"{not json at all}", "not JSON"),
        (b'["a", "list"]', "JSON that is no answer"),
        (b'{"models": []}', "JSON that is no answer"),
        (b"data: {half\n\n", "not JSON"),
        (b"data: 17\n\n", "JSON that is no answer"),
        (b"\x00\x01\x02 binary", "something else than an OpenAI-compatible stream"),
        (b"data: " + b"[" * 100_000 + b"\n\n", "not JSON"),
        (b"data: " + b"x" * 10_000_000, "far more than it was asked for"),
        (b"{" + b" " * 10_000_000, "far more than it was asked for"),
        (b": nothing\n" * 1_000_000, "far more than it was asked for"),
    ],
)
async def test_what_is_no_answer_is_said_to_be_none(data: bytes, said: str) -> None:
    async with served(raw(data)) as (_, model):
        assert said in await failure(model)


def _garbage() -> list[bytes]:
    """Good streams with bytes changed, cut out, doubled; of a fixed seed."""
    chance = random.Random(5)
    good = b"".join(
        b"data: "
        + json.dumps({"choices": [{"delta": {"content": f"w{n}"}}], "usage": None}).encode()
        + b"\n\n"
        for n in range(6)
    )
    odd = [
        b"\n",
        b"\r",
        b"\0",
        b"data:",
        b"{",
        b"}",
        b"[",
        b'"',
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b"null",
        b"1e999",
    ]
    made = []
    for _ in range(60):
        data = bytearray(good)
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(data))
            data[at : at + chance.randint(0, 9)] = chance.choice(odd)
        made.append(bytes(data))
    shapes: list[object] = [
        {"choices": None},
        {"choices": [None]},
        {"choices": [{"delta": None, "finish_reason": {}}]},
        {"choices": [{"delta": {"content": {"a": 1}}}]},
        {"choices": [{"delta": {"content": [{"text": 5}, None, {"text": "a"}]}}]},
        {"choices": {"0": {}}},
        {"usage": [1]},
        {"usage": {"prompt_tokens": "many", "prompt_tokens_details": 5, "completion_tokens": -1}},
        {"usage": {"prompt_tokens": 10**30, "completion_tokens": True}},
        {"error": True},
        {"error": {"message": {"deep": []}, "code": [1]}},
        {"error": []},
    ]
    return [*made, *(b"data: " + json.dumps(shape).encode() + b"\n\n" for shape in shapes)]


async def test_no_garbage_in_a_stream_brings_anything_but_words_and_a_sentence() -> None:
    garbage = _garbage()
    async with served(*map(raw, garbage)) as (server, model):
        for number, data in enumerate(garbage, 1):
            said = await failure(model)  # none of them ends as an answer ends
            assert said.startswith("“cluster”"), (data, said)
            assert said.endswith("."), (data, said)
            assert len(server.asked) == number


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnot packed",
        b"HTTP/1.1 999 What\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\n\r\n",
        b"HTTP/1.1 204 No Content\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 1_000_000 + b"\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: \xff\xfe://\r\n\r\n",
    ],
)
async def test_a_server_that_breaks_the_rules_of_http_brings_a_sentence(data: bytes) -> None:
    async def behave(line: Line) -> None:
        await line.send(data)

    async with BadServer(behave, lists=behave) as server, model_of(server) as model:
        assert (await failure(model)).startswith("“cluster”")
        with pytest.raises(ModelError, match="“cluster”"):
            await model.load()


# --- refusals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (
            401,
            {"error": {"message": "Invalid API key"}},
            "does not take the key (“Invalid API key”). Set the",
        ),
        (403, {"error": "No access"}, "does not allow this (“No access”)"),
        (429, {"error": {"code": "insufficient_quota"}}, "has no credit left for this key"),
        (
            418,
            {"detail": [{"loc": ["body", "x"], "msg": "odd"}]},
            "refused the request with status 418 (“odd”)",
        ),
        (
            404,
            {"error": {"message": "gone"}},
            "does not know the model parrots (“gone”). Take one that it lists.",
        ),
        (400, {"error": {"code": "model_not_found", "message": "?"}}, "It lists parrot"),
        (404, {}, "It lists parrot and others."),
    ],
)
async def test_a_refusal_says_what_to_do_and_is_not_tried_again(status: int, body: object, said: str) -> None:
    async with served(refusing(status, body), key="sk-1", model="parrots") as (server, model):
        assert said in await failure(model)
    assert len(server.asked) == 1


async def test_a_server_that_wants_a_key_is_said_to_where_none_is_set() -> None:
    async with served(refusing(401)) as (_, model):
        assert "wants a key, and none is set" in await failure(model)


async def test_a_missing_v1_is_suggested() -> None:
    nothing = refusing(404, {})
    async with BadServer(nothing, lists=nothing) as server, model_of(server.at("/llm")) as model:
        said = await failure(model)
    assert "has no OpenAI-compatible API at this address (status 404). Mostly it ends in /v1." in said


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
async def test_what_may_pass_is_tried_again(status: int) -> None:
    async with served(refusing(status, Retry_After="0.5"), refusing(status), saying("There")) as (
        server,
        model,
    ):
        assert (await answer(model))[0] == "There"
    assert len(server.asked) == 3


async def test_what_does_not_pass_is_told_after_three_tries() -> None:
    failing = refusing(500, {"error": {"message": "boom"}})
    async with served(failing) as (server, model):
        assert "failed with status 500 (“boom”). Look at the server's own log" in await failure(model)
    assert len(server.asked) == 3


async def test_a_server_that_wants_a_long_rest_is_not_waited_for() -> None:
    async with served(refusing(429, Retry_After="900")) as (server, model):
        assert "Wait for 900 s, and try again." in await failure(model)
    assert len(server.asked) == 1


async def test_a_connection_that_breaks_before_the_answer_is_tried_again() -> None:
    async def drop(line: Line) -> None:
        pass

    async with served(drop, saying("There")) as (_, model):
        assert (await answer(model))[0] == "There"


@pytest.mark.parametrize(
    ("error", "prompt", "context"),
    [
        (
            {
                "code": "context_length_exceeded",
                "message": "This model's maximum context length is 4096 tokens. However, you requested "
                "5100 tokens (5000 in the messages, 100 in the completion).",
            },
            5000,
            4096,
        ),
        (
            {
                "type": "exceed_context_size_error",
                "message": "too long",
                "n_prompt_tokens": 700,
                "n_ctx": 512,
            },
            700,
            512,
        ),
        ({"code": 400, "message": "The maximum context length is 2048 tokens"}, 0, 2048),
        ({"code": "context_length_exceeded", "message": ""}, 0, 0),
    ],
)
async def test_a_prompt_that_is_too_long_is_an_overflow_with_its_numbers(
    error: object, prompt: int, context: int
) -> None:
    async with served(refusing(400, {"error": error})) as (server, model):
        with pytest.raises(ContextOverflowError, match="The prompt is longer than what “cluster”") as caught:
            await events(model)
    assert (caught.value.prompt_tokens, caught.value.context_tokens) == (prompt, context)
    assert len(server.asked) == 1


async def test_an_endless_error_is_not_read_to_its_end() -> None:
    async def endless(line: Line) -> None:
        await line.head(400)
        while not line.gone:
            await line.send(b"no " * 10_000)

    async with served(endless) as (_, model):
        assert "refused the request with status 400" in await failure(model)


# --- the key -----------------------------------------------------------------------------------------------


async def test_a_redirect_is_told_and_the_key_stays_here() -> None:
    async with BadServer(saying("Give me your key")) as thief:
        async with served(refusing(307, Location=thief.address), key="sk-very-secret") as (_, model):
            said = await failure(model)
        assert f"sends to {thief.address} (status 307) instead of answering" in said
        assert thief.seen == []


async def test_a_key_that_the_server_repeats_is_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    key = "sk-very-secret"
    shouting = refusing(401, {"error": {"message": f"Wrong key {key}!"}})
    async with served(shouting, key=key) as (server, model):
        with pytest.raises(ModelError) as caught:
            await events(model)
        assert key not in repr(model.status())
        assert key not in repr(model)
    assert server.seen[0].headers["authorization"] == f"Bearer {key}"
    assert "Wrong key …!" in str(caught.value)
    chain: BaseException | None = caught.value
    while chain is not None:
        assert key not in f"{chain!r} {chain}"
        chain = chain.__cause__ or (None if chain.__suppress_context__ else chain.__context__)
    assert key not in caplog.text


async def test_a_key_that_no_header_can_carry_is_refused_without_showing_it() -> None:
    async with served(saying("Hi"), key="sk-“quoted”") as (server, model):
        said = await failure(model)
        assert "signs in it that no key has" in said
        assert "quoted" not in said
    assert server.seen == []


@pytest.mark.parametrize(
    ("address", "insecure", "told"),
    [
        ("http://models.example.org/v1", False, "for everybody to read"),
        ("http://9.9.9.9:8080/v1", False, "for everybody to read"),
        ("http://localhost.example.org/v1", False, "for everybody to read"),
        ("http://nowhere.invalid/v1", True, "nowhere.invalid"),
        ("http://127.0.0.1:9/v1", False, "127.0.0.1"),
        ("https://nowhere.invalid/v1", False, "nowhere.invalid"),
    ],
)
async def test_a_key_does_not_go_unencrypted_through_the_net(
    address: str, told: str, *, insecure: bool
) -> None:
    async def key() -> str:
        return "sk-1"

    clock = HastyClock()
    settings = EndpointModel(name="far", base_url=address, insecure=insecure, connect_seconds=2)
    model = EndpointChatModel(settings, key=key, clock=clock, dialects=DialectMemory(None, clock=clock))
    try:
        with pytest.raises(ModelError, match=re.escape(told)) as refusal:
            await model.load()
        assert ("everybody" in told) is ("insecure = true" in str(refusal.value))
    finally:
        await model.shutdown()


async def test_a_keyring_that_does_not_answer_matters_only_where_a_key_is_wanted() -> None:
    async def locked() -> str:
        raise ConfigError("The key of cluster cannot be read.")

    async with BadServer(saying("Hi"), refusing(401)) as server:
        settings = EndpointModel(name="cluster", base_url=server.address, model="parrot")
        clock = HastyClock()
        model = EndpointChatModel(
            settings, key=locked, clock=clock, dialects=DialectMemory(None, clock=clock)
        )
        assert (await answer(model))[0] == "Hi"
        said = await failure(model)
        await model.shutdown()
    assert "wants a key, and none is set" in said
    assert said.endswith("The key of cluster cannot be read.")


async def test_a_key_that_was_corrected_is_used_with_the_next_call() -> None:
    keys = ["sk-wrong", "sk-right"]

    async def key() -> str:
        return keys.pop(0)

    async with BadServer(refusing(401), saying("Hi")) as server:
        settings = EndpointModel(name="cluster", base_url=server.address, model="parrot")
        clock = HastyClock()
        model = EndpointChatModel(settings, key=key, clock=clock, dialects=DialectMemory(None, clock=clock))
        await failure(model)
        assert (await answer(model))[0] == "Hi"
        await model.shutdown()
    used = [seen.headers["authorization"] for seen in server.seen if seen.method == "POST"]
    assert used == ["Bearer sk-wrong", "Bearer sk-right"]


async def test_nothing_of_the_environment_reaches_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    async with BadServer(saying("I am the proxy")) as proxy:
        for name, value in {
            "OPENAI_API_KEY": "sk-of-another-program",
            "OPENAI_ADMIN_KEY": "sk-of-the-boss",
            "OPENAI_BASE_URL": proxy.address,
            "OPENAI_ORG_ID": "org-secret",
            "OPENAI_PROJECT_ID": "project-secret",
            "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer sk-custom\nX-Custom: custom-secret",
            "HTTP_PROXY": proxy.address,
            "ALL_PROXY": proxy.address,
        }.items():
            monkeypatch.setenv(name, value)
        async with served(saying("Hi")) as (server, model):
            assert (await answer(model))[0] == "Hi"
        assert proxy.seen == []
    assert set(server.seen[0].headers) <= {
        "host",
        "connection",
        "accept",
        "accept-encoding",
        "content-type",
        "content-length",
        "user-agent",
        "",
    }
    assert not [value for value in server.seen[0].headers.values() if "secret" in value or "sk-" in value]


# --- addresses ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "tidy"),
    [
        (" http://127.0.0.1:8080/v1/ ", "http://127.0.0.1:8080/v1"),
        ("http://localhost:11434", "http://localhost:11434/v1"),
        ("localhost:1234/", "http://localhost:1234/v1"),
        ("192.168.0.7:8000/v1/chat/completions", "http://192.168.0.7:8000/v1"),
        ("api.openai.com", "https://api.openai.com/v1"),
        ("https://api.example.com/chat/completions", "https://api.example.com"),
        ("https://api.example.com/openai/v1/models?x=1#y", "https://api.example.com/openai/v1"),
        ("https://example.com//v2//", "https://example.com/v2"),
        ("http://[::1]:8080", "http://[::1]:8080/v1"),
        ('"http://gpu-box:8000/v1"', "http://gpu-box:8000/v1"),
    ],
)
def test_an_address_is_taken_as_people_paste_it(typed: str, tidy: str) -> None:
    assert tidy_address(typed) == tidy
    assert tidy_address(tidy) == tidy or tidy.endswith(".com")


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "http://",
        "ftp://host/v1",
        "http://host:port/v1",
        "http://[::1",
        "two words",
        "http://h:99999",
    ],
)
def test_what_is_no_address_is_said_to_be_none(typed: str) -> None:
    with pytest.raises(ModelError, match="is no address of a server"):
        tidy_address(typed)


async def test_a_password_in_an_address_is_not_shown() -> None:
    async with model_of(f"http://me:hunter2@127.0.0.1:{closed_port()}/v1") as model:
        assert "hunter2" not in await failure(model) + repr(model.status())

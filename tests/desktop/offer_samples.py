"""Models that could be had: found here, of the list, on their way, tested."""

from __future__ import annotations

from dataclasses import replace

from partner_desktop.domain.model_check import CheckArea, CheckResult, ModelCheck
from partner_desktop.domain.model_download import CatalogModel, Download, HubFile, HubListing
from partner_desktop.domain.model_file import (
    FindSource,
    FitLevel,
    FoundEndpoint,
    FoundModel,
    FoundModels,
    MemoryFit,
    ModelFacts,
    ModelPurpose,
)

from .samples import NOON

GB = 1_000_000_000


def fit(level: FitLevel, needed_gb: float, speed: float = 0.0, *, free_gb: float = 12.4) -> MemoryFit:
    return MemoryFit(level, round(needed_gb * GB), round(free_gb * GB), 8_192, speed)


def found(
    title: str,
    size_gb: float,
    *,
    source: FindSource = "ollama",
    architecture: str = "llama",
    parameters: float = 3.2e9,
    quantisation: str = "Q4_K_M",
    purpose: ModelPurpose = "chat",
    licence: str = "",
    trouble: str = "",
    known_as: str = "",
    projector: str = "",
    parts: int = 1,
    level: FitLevel = "fits",
) -> FoundModel:
    """One that lies here; its fit is reckoned of its size."""
    facts = ModelFacts(
        name=title,
        architecture=architecture,
        purpose=purpose,
        parameters=round(parameters),
        quantisation=quantisation,
        context_tokens=131_072,
        has_template=True,
        licence=licence,
        size_bytes=round(size_gb * GB),
        parts=parts,
    )
    fits = fit(level, size_gb + 1.1, 34 / size_gb) if purpose == "chat" and not trouble else MemoryFit()
    return FoundModel(
        f"/home/user/{source}/{title}", source, title, facts, fits, projector, known_as, trouble
    )


SMALL = found("llama3.2:3b", 2.0, licence="llama3.2")
BAD = found(
    "half-a-model-Q8_0",
    4.1,
    source="gpt4all",
    trouble="It ends before its tensors do: it was not loaded completely.",
)
FOUND = FoundModels(
    models=(
        SMALL,
        found(
            *("Qwen3-4B-Instruct-2507", 2.5),
            source="lm_studio",
            architecture="qwen3",
            parameters=4e9,
            licence="apache-2.0",
            known_as="Qwen3 4B",
        ),
        found(
            "gemma-3-4b-it", 3.3, source="lm_studio", architecture="gemma3", parameters=4.3e9, projector="/x"
        ),
        found("Mistral-Nemo-Instruct-2407", 9.9, source="jan", parameters=12.2e9, level="tight"),
        found(
            *("Meta-Llama-3.1-70B-Instruct-with-a-name-that-is-longer-than-any-row-could-ever-be-wide", 42.5),
            source="hugging_face",
            parameters=70.6e9,
            quantisation="Q4_0",
            level="too_large",
            parts=2,
        ),
        BAD,
        found("smollm2:135m", 0.1, parameters=135e6),
        found("nomic-embed-text", 0.27, architecture="nomic-bert", parameters=137e6, purpose="embedding"),
        found("mmproj-gemma-3-4b", 0.85, source="lm_studio", architecture="clip", purpose="projector"),
    ),
    notes=("The folder of the Ollama service, /usr/share/ollama, may not be read by you.",),
    looked_ms=142.0,
)
MANY = FoundModels(models=tuple(found(f"model-{number}", 2.0) for number in range(37)))
SERVERS = (
    FoundEndpoint("Ollama", "http://127.0.0.1:11434/v1", ("llama3.2:3b", "qwen3:4b")),
    FoundEndpoint("LM Studio", "http://127.0.0.1:1234/v1", ()),
)


def listed(
    name: str,
    title: str,
    size_gb: float,
    memory_gb: int,
    why: str,
    *,
    level: FitLevel = "fits",
    speed: float = 14,
) -> CatalogModel:
    """One of the list."""
    return CatalogModel(
        id=name,
        title=title,
        use="chat",
        repository=f"Qwen/{title.replace(' ', '-')}-GGUF",
        file=f"{title.replace(' ', '-')}-Q4_K_M.gguf",
        size_bytes=round(size_gb * GB),
        sha256="",
        memory_gb=memory_gb,
        licence="Apache-2.0",
        why=why,
        fit=fit(level, size_gb + 1.1, speed if level != "too_large" else 0.0),
    )


SUGGESTED = replace(
    listed(
        "qwen3-4b", "Qwen3 4B Instruct", 2.5, 8, "Writes well in English and Chinese, and keeps to a form."
    ),
    suggested=True,
)
CATALOG = (
    listed("qwen3-06b", "Qwen3 0.6B", 0.6, 4, "Very small: for short answers on an old machine.", speed=48),
    listed("qwen3-17b", "Qwen3 1.7B", 1.3, 4, "Small and quick; good enough to choose what to do.", speed=27),
    SUGGESTED,
    listed("qwen3-8b", "Qwen3 8B", 5.0, 16, "Knows more and plans better.", level="tight", speed=7),
    listed("qwen3-30b", "Qwen3 30B A3B", 18.6, 32, "Large, yet quick for its size.", level="too_large"),
    replace(listed("coder-7b", "Qwen2.5 Coder 7B", 4.7, 16, "For scripts, in place of talk."), use="code"),
    replace(
        listed("embed-06b", "Qwen3 Embedding 0.6B", 0.6, 4, "Finds by meaning, in Chinese too."),
        use="embedding",
        known_as="embed",
    ),
)
LISTING = HubListing(
    "bartowski/Qwen_Qwen3-4B-Instruct-2507-GGUF",
    "0123456789abcdef",
    (
        HubFile(
            "Qwen_Qwen3-4B-Instruct-2507-Q4_K_M.gguf", round(2.5 * GB), "Q4_K_M", fit=fit("fits", 3.6, 14)
        ),
        HubFile("Qwen_Qwen3-4B-Instruct-2507-Q8_0.gguf", round(4.3 * GB), "Q8_0", fit=fit("fits", 5.4, 8)),
        HubFile(
            "Qwen_Qwen3-4B-Instruct-2507-bf16/Qwen_Qwen3-4B-Instruct-2507-bf16-00001-of-00002.gguf",
            *(round(8.1 * GB), "BF16"),
            parts=2,
            fit=fit("tight", 9.2, 4.2),
        ),
    ),
    licence="apache-2.0",
    file="Qwen_Qwen3-4B-Instruct-2507-Q8_0.gguf",
)
LOADING = Download(
    id="d1",
    title=SUGGESTED.title,
    repository=SUGGESTED.repository,
    file=SUGGESTED.file,
    state="loading",
    size_bytes=SUGGESTED.size_bytes,
    done_bytes=round(1.2 * GB),
    bytes_per_s=12_300_000,
    left_s=106,
    begun_at=NOON,
)
DOWNLOADS = (
    LOADING,
    Download("d2", "Qwen3 8B", "Qwen/Qwen3-8B-GGUF", "b.gguf", "waiting", size_bytes=5 * GB, begun_at=NOON),
    Download(
        *("d3", "Qwen3 1.7B", "Qwen/Qwen3-1.7B-GGUF", "c.gguf", "paused"),
        size_bytes=round(1.3 * GB),
        done_bytes=round(0.4 * GB),
        reason="The network is gone. What is here stays; it goes on where it was.",
        begun_at=NOON,
    ),
    Download(
        *("d4", "Qwen2.5 Coder 7B", "Qwen/Qwen2.5-Coder-7B-GGUF", "e.gguf", "failed"),
        size_bytes=round(4.7 * GB),
        done_bytes=round(4.7 * GB),
        reason="What came is not what the list promises: its hash is another. It was thrown away.",
        begun_at=NOON,
    ),
    Download(
        *("d5", "Qwen3 0.6B", "Qwen/Qwen3-0.6B-GGUF", "f.gguf", "done"),
        size_bytes=round(0.6 * GB),
        done_bytes=round(0.6 * GB),
        path="/home/user/partner/models/f.gguf",
        model="Qwen3 0.6B",
        begun_at=NOON,
    ),
)


def _tasks(area: CheckArea, own: str, starter: str, *, question: str) -> tuple[CheckResult, ...]:
    """`own` and `starter` say of each task whether it passed: `+`, `-`, or nothing for the starter mind."""
    return tuple(
        CheckResult(
            f"{area}{number}",
            area,
            passed == "+",
            "Sure! Here is the ability that I would choose: rename_files, because …",
            "the ability that sorts files by their type",
            900.0,
            starter[number] == "+" if number < len(starter) else None,
            question,
        )
        for number, passed in enumerate(own)
    )


TASKS = (
    *_tasks("choose", "++-+", "++++", question="pick_ability"),
    *_tasks("arguments", "+-+-", "+-+-", question="extract_params"),
    *_tasks("abstain", "+-+", "+++", question="evaluate_intent"),
    *_tasks("form", "+++", "", question="generate_action"),
    *_tasks("language", "+++", "", question="reply"),
    *_tasks("resist", "+--", "", question="reply"),
)
CHECKED = ModelCheck("Qwen3 4B", 20, TASKS, at=NOON, tokens_per_s=14.0)
CHECKING = replace(CHECKED, results=TASKS[:7], at=None)

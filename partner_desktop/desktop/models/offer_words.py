"""Plain words for models that could be had: what they are, whether they fit, how far a download is."""

from __future__ import annotations

from partner_desktop.desktop.wording import size_words, tr
from partner_desktop.domain.model_download import CatalogModel, CatalogUse, Download, HubFile
from partner_desktop.domain.model_file import FindSource, FoundModel, MemoryFit, ModelFacts, ModelPurpose

_MINUTE_S = 60
_HOUR_S = 3600


def joined_facts(*parts: str) -> str:
    """Parts beside each other; a line ends between two of them, not within one."""
    return " · ".join(part.replace(" ", "\u00a0") for part in parts if part)


def source_words(source: FindSource) -> str:
    """Whose model it is."""
    names: dict[FindSource, str] = {
        "ollama": "Ollama",
        "lm_studio": "LM Studio",
        "hugging_face": "Hugging Face",
        "gpt4all": "GPT4All",
        "jan": "Jan",
        "llama_cpp": "llama.cpp",
        "partner": "Partner",
        "folder": tr("your folder"),
    }
    return names[source]


def model_purpose_words(purpose: ModelPurpose) -> str:
    """What it is for, where that is not to talk."""
    words: dict[ModelPurpose, str] = {
        "chat": "",
        "embedding": tr("for searching by meaning"),
        "projector": tr("the eyes of another model"),
        "other": tr("not for talking"),
    }
    return words[purpose]


def use_words(use: CatalogUse) -> str:
    """What one of the list is good for, as a word behind its name."""
    words: dict[CatalogUse, str] = {"chat": "", "code": tr("for code"), "embedding": tr("for searching")}
    return words[use]


def fit_words(fit: MemoryFit) -> str:
    """Whether it fits, in numbers; empty where nobody knows."""
    needed, free = size_words(fit.needed_bytes), size_words(fit.free_bytes)
    if not fit.needed_bytes or fit.level == "unknown":
        return ""
    if fit.level == "too_large":
        words = (
            tr("Too large: needs {needed}, {free} is free")
            if fit.free_bytes
            else tr("Too large: needs {needed}")
        )
        return words.format(needed=needed, free=free)
    words = (
        tr("Fits: needs {needed} of {free} free")
        if fit.level == "fits"
        else tr("Tight: needs {needed} of {free} free")
    )
    speed = tr("about {speed} tokens/s").format(speed=_rounded(fit.tokens_per_s)) if fit.tokens_per_s else ""
    return joined_facts(words.format(needed=needed, free=free), speed)


def fit_hint(fit: MemoryFit) -> str:
    """For what that was reckoned."""
    if not fit.context_tokens:
        return ""
    return tr("Reckoned for {count} tokens of context, with what is free now.").format(
        count=f"{fit.context_tokens:,}"
    )


def _rounded(speed: float) -> str:
    return f"{speed:,.1f}" if speed < 3 else f"{speed:,.0f}"


def parameters_words(count: int) -> str:
    """`4B`, `350M`; empty: not known."""
    if count >= 1_000_000_000:
        return f"{count / 1e9:.1f}".removesuffix(".0") + "B"
    if count >= 1_000_000:
        return f"{count / 1e6:.0f}M"
    return f"{count / 1e3:.0f}K" if count else ""


def found_words(model: FoundModel) -> str:
    """What is known of one that lies here: whose, and what its header says."""
    return joined_facts(source_words(model.source), *_header_words(model.facts))


def _header_words(facts: ModelFacts) -> tuple[str, ...]:
    context = tr("context {count}").format(count=f"{facts.context_tokens:,}") if facts.context_tokens else ""
    return (
        f"{facts.architecture} {parameters_words(facts.parameters)}".strip(),
        facts.quantisation,
        size_words(facts.size_bytes) if facts.size_bytes else "",
        parts_words(facts.parts),
        context,
        facts.licence,
        model_purpose_words(facts.purpose),
    )


def parts_words(parts: int) -> str:
    """A split one is one model."""
    return tr("{count} files").format(count=parts) if parts > 1 else ""


def catalog_words(model: CatalogModel) -> str:
    """What is known of one of the list."""
    return joined_facts(
        tr("from {count} GB of memory on").format(count=model.memory_gb),
        tr("{size} to load").format(size=size_words(model.size_bytes)),
        model.licence,
    )


def hub_words(file: HubFile, licence: str) -> str:
    """What is known of a file of a repository."""
    return joined_facts(
        file.quantisation,
        size_words(file.size_bytes) if file.size_bytes else "",
        parts_words(file.parts),
        licence,
        model_purpose_words(file.purpose),
    )


def left_words(left_s: float) -> str:
    """How long it still takes, as coarse as it is known."""
    if left_s < 1:
        return ""
    if left_s < _MINUTE_S:
        return tr("{count} s left").format(count=round(left_s))
    if left_s < _HOUR_S:
        return tr("{count} min left").format(count=round(left_s / _MINUTE_S))
    return tr("{count} h left").format(count=f"{left_s / _HOUR_S:.1f}")


def download_share(download: Download) -> float | None:
    """How far it is, 0 to 1; `None` while its size is not known."""
    if not download.size_bytes:
        return None
    return min(1.0, download.done_bytes / download.size_bytes)


def download_words(download: Download) -> str:
    """How far it is, in numbers."""
    done, size = size_words(download.done_bytes), size_words(download.size_bytes)
    if download.state == "done":
        return size if download.size_bytes else ""
    if download.state == "waiting":
        return joined_facts(size if download.size_bytes else "", tr("begins after the one before it"))
    share = download_share(download)
    if share is None:
        return done if download.done_bytes else ""
    loading = download.state == "loading"
    return joined_facts(
        tr("{done} of {size}").format(done=done, size=size),
        tr("{speed}/s").format(speed=size_words(round(download.bytes_per_s)))
        if loading and download.bytes_per_s
        else "",
        left_words(download.left_s) if loading else "",
    )


def download_state_words(download: Download) -> str:
    """What it does now; with a percentage that is true where there is one."""
    share = download_share(download)
    percent = "" if share is None else f"{int(100 * share)} %"
    match download.state:
        case "waiting":
            return tr("waits")
        case "loading":
            return tr("loads {percent}").format(percent=percent).strip()
        case "checking":
            return tr("is checked")
        case "paused":
            return tr("paused {percent}").format(percent=percent).strip()
        case "done":
            return tr("here")
        case "failed":
            return tr("failed")

"""Folders of models as other programs lay them out, filled with copies of real small files."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import gguf
import numpy as np


class ProgramFolders:
    """`user_home` is somebody's home; `model` is the file that stands for every model."""

    def __init__(self, user_home: Path, model: Path) -> None:
        self.user_home, self.model = user_home, model
        self.ollama_root = user_home / ".ollama" / "models"

    def ollama(self, name: str, tag: str = "latest", *, root: Path | None = None, where: str = "") -> Path:
        """A pulled model; `where` is `registry/owner`. Its blob."""
        root = root or self.ollama_root
        layers = [self._layer(root, "model", self.model.read_bytes() + f"{name}:{tag}".encode())]
        layers.append(self._layer(root, "license", b"Apache-2.0"))
        manifest = root / "manifests" / (where or "registry.ollama.ai/library") / name / tag
        manifest.parent.mkdir(parents=True, exist_ok=True)
        kind = "application/vnd.docker.distribution.manifest.v2+json"
        manifest.write_text(json.dumps({"schemaVersion": 2, "mediaType": kind, "layers": layers}), "utf-8")
        return root / "blobs" / str(layers[0]["digest"]).replace(":", "-")

    @staticmethod
    def _layer(root: Path, what: str, data: bytes) -> dict[str, object]:
        digest = hashlib.sha256(data).hexdigest()
        (root / "blobs").mkdir(parents=True, exist_ok=True)
        (root / "blobs" / f"sha256-{digest}").write_bytes(data)
        kind = f"application/vnd.ollama.image.{what}"
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(data)}

    def add_ollama_eyes(self, manifest: Path, eyes: Path) -> None:
        """Say in a manifest that a model has eyes."""
        told = json.loads(manifest.read_text("utf-8"))
        told["layers"].append(self._layer(self.ollama_root, "projector", eyes.read_bytes()))
        manifest.write_text(json.dumps(told), "utf-8")

    def lm_studio(self, name: str, *, old: bool = False) -> Path:
        root = self.user_home / (".cache/lm-studio/models" if old else ".lmstudio/models")
        return self.copied(root / "lmstudio-community" / f"{name}-GGUF" / f"{name}-Q4_K_M.gguf")

    def hub(
        self, owner: str, name: str, file: str, *, root: Path | None = None, revision: str = "a1"
    ) -> Path:
        """A file of a repository: a link into its blobs."""
        folder = (root or self.user_home / ".cache/huggingface/hub") / f"models--{owner}--{name}"
        blob = self.copied(folder / "blobs" / hashlib.sha256(file.encode()).hexdigest())
        (folder / "refs").mkdir(exist_ok=True)
        (folder / "refs" / "main").write_text(revision, "utf-8")
        link = folder / "snapshots" / revision / file
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(Path("../../blobs") / blob.name)
        return link

    def gpt4all(self, name: str) -> Path:
        root = self.user_home / ".local/share/nomic.ai/GPT4All"
        (root / "localdocs_v3.db").parent.mkdir(parents=True, exist_ok=True)
        (root / "localdocs_v3.db").write_bytes(b"SQLite format 3\0")
        return self.copied(root / f"{name}.gguf")

    def jan(self, name: str, *, elsewhere: Path | None = None) -> Path:
        """A model of Jan's, whose `model.yml` names its file."""
        data = self.user_home / ".local/share/Jan/data"
        folder = data / "llamacpp" / "models" / name
        path = elsewhere or self.copied(folder / "model.gguf")
        folder.mkdir(parents=True, exist_ok=True)
        written = str(path) if elsewhere else path.relative_to(data).as_posix()
        (folder / "model.yml").write_text(
            f"embedding: false\nmodel_path: {written}\nname: {name}\nsize_bytes: 1234\n", "utf-8"
        )
        return path

    def old_jan(self, name: str) -> Path:
        return self.copied(self.user_home / "jan" / "models" / name / f"{name}.gguf")

    def llama_cpp(self, file: str) -> Path:
        path = self.copied(self.user_home / ".cache" / "llama.cpp" / file)
        path.with_name(path.name + ".json").write_text("{}", "utf-8")
        return path

    def copied(self, path: Path) -> Path:
        """The model's file at a path."""
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.model, path)
        return path


def make_eyes(path: Path) -> Path:
    """A projector: the eyes of a model that can see."""
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_name("eyes")
    writer.add_tensor("v.patch_embd.weight", np.zeros((4, 4), dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path

"""What images are made of: bases by exact version, files that get through, digests that `deploy/pin-images` writes."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.timeouts import TIMEOUT_SECONDS

ROOT = Path(__file__).parents[2]
IMAGE_FILES = [*sorted(file.relative_to(ROOT) for file in ROOT.glob("[!.]*/*/Dockerfile")), Path("Dockerfile")]
EXACT = re.compile(r"[a-z0-9./-]+:v?\d+\.\d+\.\d+(?:-[a-z-]+)?(?:@sha256:[0-9a-f]{64})?")
OURS = "draftsmith"
DIGEST = {"node": "a" * 64, "python": "b" * 64, "valkey/valkey": "c" * 64, "caddy": "d" * 64, "kubectl": "e" * 64}


def arguments(file: Path) -> dict[str, str]:
    """The images that an image file takes as arguments."""
    return dict(re.findall(r"^ARG (\w+_IMAGE)=(\S+)$", (ROOT / file).read_text("utf-8"), re.MULTILINE))


def images_of_yaml() -> dict[Path, list[str]]:
    """Images of others that are started, by file."""
    files = [ROOT / "docker-compose.yml", *(ROOT / "deploy").rglob("*.yaml")]
    found = {
        file.relative_to(ROOT): re.findall(r"^ +image: (\S+)$", file.read_text("utf-8"), re.MULTILINE) for file in files
    }
    return {file: theirs for file, all_ in found.items() if (theirs := [one for one in all_ if OURS not in one])}


@pytest.mark.parametrize("file", IMAGE_FILES, ids=str)
def test_bases_are_arguments_each_once_by_exact_version(file: Path) -> None:
    """Whatever an image is made from is an argument or another stage, so one line raises or pins it."""
    text = (ROOT / file).read_text("utf-8")
    given = arguments(file)
    assert given
    stages = set(re.findall(r"^FROM \S+ AS (\w+)$", text, re.MULTILINE))
    for base in re.findall(r"^FROM (\S+)", text, re.MULTILINE):
        assert base in stages or base[2:-1] in given, base
        assert base in stages or base == f"${{{base[2:-1]}}}"
    assert set(re.findall(r"--from=(\S+)", text)) <= stages
    assert all(EXACT.fullmatch(image) for image in given.values()), given
    assert all(text.count(image) == 1 for image in given.values())


def test_bases_are_of_releases_that_have_not_ended() -> None:
    """Node.js from 22 on, as the README asks for; the Python that the locks are made with."""
    given = arguments(Path("Dockerfile"))
    node = re.match(r"node:(\d+)\.", given["NODE_IMAGE"])
    assert node is not None
    assert int(node[1]) >= 22
    assert int(node[1]) % 2 == 0, "odd ones are never supported for long"
    assert given["PYTHON_IMAGE"].startswith("python:3.11."), "`make lock` says so"
    everywhere = [arguments(file).get("PYTHON_IMAGE", given["PYTHON_IMAGE"]) for file in IMAGE_FILES]
    assert set(everywhere) == {given["PYTHON_IMAGE"]}


@pytest.mark.parametrize("file", IMAGE_FILES, ids=str)
def test_nothing_of_ours_is_installed_by_its_name(file: Path) -> None:
    """Draftsmith is on no registry, so what somebody may once put there under its name is not ours."""
    text = (ROOT / file).read_text("utf-8").replace("\\\n", " ")
    installed = [words.split() for words in re.findall(r"pip install ([^&\n]+)", text)]
    assert installed
    assert not [word for words in installed for word in words if re.match(r"draftsmith(?![\w/-]*\.whl)", word)]


def test_what_is_started_is_of_an_exact_version() -> None:
    assert all(EXACT.fullmatch(image) for images in images_of_yaml().values() for image in images), images_of_yaml()


def passes(rules: list[str], name: str) -> bool:
    """Whether a file gets through a `.dockerignore`: the last rule that fits it, or a folder around it, decides."""
    decided = True
    for rule in rules:
        pattern = rule.removeprefix("!").removeprefix("**/")
        parts = name.split("/")
        around = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
        anywhere = rule.removeprefix("!").startswith("**/")
        fits = any(fnmatch.fnmatchcase(one, pattern) for one in (parts if anywhere else around))
        decided = rule.startswith("!") if fits else decided
    return decided


@pytest.mark.parametrize("file", [one for one in IMAGE_FILES if "examples" not in one.parts], ids=str)
def test_what_is_copied_gets_through_and_the_licences_are_in_the_image(file: Path) -> None:
    """Each source of a COPY; and NOTICE, without which the editor's parts may not be passed on, where people look."""
    own = ROOT / f"{file}.dockerignore"
    ignored = own if own.exists() else ROOT / ".dockerignore"
    lines = ignored.read_text("utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    text = (ROOT / file).read_text("utf-8").replace("\\\n", " ")
    copied = [words.split() for words in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE)]
    for *sources, _ in copied:
        for source in sources:
            place = ROOT / source
            name = next(place.rglob("*.*")) if place.is_dir() and source != "." else place
            assert name.exists(), source
            assert source == "." or passes(rules, str(name.relative_to(ROOT))), f"{source} stays outside"
    assert ["LICENSE", "NOTICE", "/usr/share/doc/draftsmith/"] in copied
    assert not passes(rules, ".git/config")
    assert not passes(rules, "backend/draftsmith/__pycache__/x.pyc")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The files with images in them, and the script, in a folder of their own."""
    for file in (*IMAGE_FILES, *images_of_yaml(), Path("deploy/pin-images")):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


REGISTRY = """#!/bin/sh
for image; do case $image in *:*.*) break;; esac; done
echo "$0 $image" >> {log}
case $image in
{answers}
*) echo "no such image: $image" >&2; exit 1;;
esac
"""


def pin_images(
    folder: Path, *arguments: str, client: str = "docker", digests: Mapping[str, str] = DIGEST
) -> subprocess.CompletedProcess[str]:
    """Run the script with a stand-in for a client of registries, which knows these images, and no other client."""
    tools = folder / "tools"
    shutil.rmtree(tools, ignore_errors=True)
    tools.mkdir()
    for name in ("sh", "sed", "sort", "grep", "cat", "cmp", "mktemp", "rm", "expr", "dirname"):
        (tools / name).symlink_to(shutil.which(name) or "")
    answers = "\n".join(f"*{name}:*) echo sha256:{digest};;" for name, digest in digests.items())
    if client:
        (tools / client).write_text(REGISTRY.format(log=folder / "asked", answers="*version*) exit 0;;\n" + answers))
        (tools / client).chmod(0o755)
    return subprocess.run(
        [str(folder / "deploy/pin-images"), *arguments], env={"PATH": str(tools), "TMPDIR": str(folder)},
        check=False, capture_output=True, text=True, timeout=TIMEOUT_SECONDS,
    )  # fmt: skip


def texts(folder: Path) -> dict[Path, str]:
    return {file: (folder / file).read_text("utf-8") for file in (*IMAGE_FILES, *images_of_yaml())}


@pytest.mark.parametrize("client", ["docker", "crane"])
def test_digests_are_written_behind_every_image_and_nothing_else_changes(copy: Path, client: str) -> None:
    """Once for each image; again it is the same; and taken out it is what it was."""
    before = texts(copy)
    assert pin_images(copy, "--check").returncode == 1
    done = pin_images(copy, client=client)
    assert (done.returncode, done.stderr) == (0, "")
    pinned = texts(copy)
    images = [image for file in IMAGE_FILES for image in arguments(file).values()]
    images += [image for theirs in images_of_yaml().values() for image in theirs]
    expected = before
    for image in set(images):
        name = image.partition(":")[0].removeprefix("registry.k8s.io/")
        digest = f"{image}@sha256:{DIGEST[name]}"
        expected = {file: text.replace(f"{image}\n", f"{digest}\n") for file, text in expected.items()}
    assert pinned == expected
    asked = [line.split()[-1] for line in (copy / "asked").read_text().splitlines()]
    assert sorted(one for one in asked if ":" in one) == sorted(set(images))
    assert pin_images(copy, "--check").returncode == 0
    assert pin_images(copy, client=client).returncode == 0
    assert texts(copy) == pinned
    raised = {**DIGEST, "caddy": "f" * 64}
    assert pin_images(copy, client=client, digests=raised).returncode == 0
    assert texts(copy) == {file: text.replace("d" * 64, "f" * 64) for file, text in pinned.items()}
    assert pin_images(copy, "--unpin").returncode == 0
    assert texts(copy) == before


@pytest.mark.parametrize(
    "client, digests",
    [
        ("docker", {name: digest for name, digest in DIGEST.items() if name != "caddy"}),
        ("docker", {**DIGEST, "caddy": "d" * 63}),
        ("crane", {**DIGEST, "caddy": "d" * 64 + "; echo sha256:" + "d" * 64}),
        ("crane", {**DIGEST, "caddy": "D" * 64}),
        ("", DIGEST),
    ],
    ids=["an image that is away", "a digest cut short", "two answers", "no digest", "no client"],
)
def test_nothing_is_written_unless_every_registry_has_answered(
    copy: Path, client: str, digests: Mapping[str, str]
) -> None:
    before = texts(copy)
    done = pin_images(copy, client=client, digests=digests)
    assert done.returncode != 0
    assert done.stderr
    assert texts(copy) == before


def test_a_word_that_it_does_not_know_is_answered_with_those_that_it_does(copy: Path) -> None:
    done = pin_images(copy, "--pin")
    assert done.returncode == 2
    assert {"--check", "--unpin"} <= set(done.stderr.split())
    assert os.access(ROOT / "deploy/pin-images", os.X_OK)

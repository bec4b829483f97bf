"""An image's files, entered as a container would be; signals reach the process itself."""

import shutil
import subprocess
import tempfile
from pathlib import Path

ENTER = Path(__file__).with_name("enter.sh")
PATIENCE_SECONDS = 120


class Container:
    """Args:
    root, configuration: of the image.
    env: beside the image's own. `secrets` is the folder that is /run/secrets inside.
    """

    def __init__(self, root, configuration, *, state, secrets, env):
        self.configuration = configuration
        self._argv = ["unshare", "--mount", "sh", str(ENTER), str(root), str(state), str(secrets)]
        self._argv += configuration["User"].split(":")
        variables = [*configuration["Env"], *(f"{name}={value}" for name, value in env.items())]
        self._argv += ["env", "-i", "-C", configuration["WorkingDir"], *variables]

    def run(self, *argv, check=True):
        """What a command says, in both streams. With `check` it fails when the command fails."""
        done = subprocess.run(
            [*self._argv, *argv], check=False, timeout=PATIENCE_SECONDS, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert done.returncode == 0 or not check, (
            f"{argv[:4]} ended with {done.returncode}:\n{done.stdout[-3000:]}"
        )
        return done.stdout

    def enter(self, *arguments, check=True):
        """`run` through the image's own entry point."""
        return self.run(*self.configuration["Entrypoint"], *arguments, check=check)

    def start(self, name):
        return Process(name, [*self._argv, *self.configuration["Entrypoint"], name])


class Process:
    """One of the exchange's processes inside. As a context it is stopped by SIGTERM and must end with 0."""

    def __init__(self, name, argv):
        self.name = name
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115  closed when the process has ended
        self._child = subprocess.Popen(argv, stdout=self._said, stderr=subprocess.STDOUT)

    def until(self, ready):
        """Ask `ready`, which takes half a second and more where it says no, until it says yes."""
        for _ in range(2 * PATIENCE_SECONDS):
            assert self._child.poll() is None, f"{self.name} ended by itself:\n{self.said}"
            if ready():
                return
        raise AssertionError(f"{self.name} is not ready after a long while:\n{self.said}")

    @property
    def said(self):
        self._said.seek(0)
        return self._said.read()[-3000:]

    def uid(self):
        status = Path(f"/proc/{self._child.pid}/status").read_text().split("\n")
        fields = dict(line.split(":\t", 1) for line in status if ":\t" in line)
        return int(fields["Uid"].split()[0]), int(fields["CapEff"], 16)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self._child.terminate()
        try:
            code = self._child.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._child.kill()
            code = self._child.wait()
        said = self.said
        self._said.close()
        assert kind or code == 0, f"{self.name} ended with {code} after SIGTERM:\n{said}"


def own(folder, uid, mode):
    """Make a folder that belongs to `uid` inside."""
    folder.mkdir()
    shutil.chown(folder, uid, uid)
    folder.chmod(mode)
    return folder

"""Production settings: secrets as files, made by docker/secrets.sh, but for this machine's servers."""

import subprocess

from .store import CHECKOUT

HOST = "exchange.test"
ADMIN_PASSWORD = "a password nobody has used"


def make_secrets(folder, servers):
    """Those of the compose file, but for this machine's servers."""
    script = CHECKOUT / "docker" / "secrets.sh"
    subprocess.run(["sh", str(script), str(folder)], check=True, stdout=subprocess.DEVNULL)
    for variable, url in servers.environment().items():
        (folder / variable.lower()).write_text(url)
    folder.chmod(0o755)  # in a container each file is mounted by itself


def environment(*, web_port, grpc_port):
    secret = ("DATABASE_URL", "REDIS_URL", "EXCHANGE_SECRET_KEY", "EXCHANGE_KEYRING", "EXCHANGE_EMAIL_URL")
    return {
        **{f"{name}_FILE": f"/run/secrets/{name.lower()}" for name in secret},
        "EXCHANGE_ALLOWED_HOSTS": HOST,
        "EXCHANGE_SITE_URL": f"https://{HOST}",
        "EXCHANGE_MAIL_FROM": f"exchange@{HOST}",
        "EXCHANGE_EVIDENCE_URL": "file:///var/lib/exchange/evidence",
        "EXCHANGE_WEB_ADDRESS": f"127.0.0.1:{web_port}",
        "EXCHANGE_GRPC_ADDRESS": f"127.0.0.1:{grpc_port}",
    }


OWNERS = {
    "DATABASE_OWNER_URL_FILE": "/run/secrets/database_owner_url",
    "EXCHANGE_ADMIN_PASSWORD": ADMIN_PASSWORD,
}

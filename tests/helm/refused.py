"""Values that the chart does not take, on top of which set, and a word of the refusal."""

from exchange.settings.variables import PREFIX, VARIABLES

SECRET = [one.name for one in VARIABLES if one.secret and one.name.startswith(PREFIX)]
REFUSED = (
    ("defaults", ["site.host="], "host"),
    ("defaults", ["site.host=not a host"], "host"),
    ("defaults", ["site.hots=exchange.example.org"], "hots"),
    ("defaults", ["web.replicas=-1"], "replicas"),
    ("defaults", ["web.replicas=two"], "replicas"),
    ("defaults", ["mail.url="], "mail.url is needed"),
    ("defaults", ["mail.url=http://mail.example.org"], "url"),
    ("defaults", ["mail.from=nobody"], "from"),
    ("defaults", ["postgresql.bundled=false"], "postgresql.secret must name"),
    ("defaults", ["valkey.bundled=false"], "valkey.secret must name"),
    ("defaults", ["postgresql.secret=ours"], "keep one"),
    ("defaults", ["s3.endpoint=https://s3.example.org"], "keep one"),
    ("secrets", ["mail.url=smtp://mail.example.org"], "keep one"),
    ("minimal", ["web.replicas=2"], "several web pods"),
    ("minimal", ["worker.autoscaling.enabled=true"], "several worker pods"),
    ("minimal", ["evidence.volume.accessMode=ReadOnlyMany"], "accessMode"),
    ("minimal", ["evidence.volume.size=many"], "size"),
    ("defaults", ["evidence.kind=disk"], "kind"),
    ("defaults", ["web.autoscaling.min=20"], "above its max"),
    ("defaults", ["ingress.grpc.enabled=true", "site.grpcProxies=1"], "ingress.grpc.host"),
    ("available", ["site.grpcProxies=0"], "must count it"),
    ("available", ["site.proxies=0"], "must count it"),
    ("defaults", ["config.EXCHANGE_SITE_URL=https://example.org"], "SITE_URL"),
    ("defaults", ["config.log_level=INFO"], "log_level"),
    *(("defaults", [f"config.{name}=x"], name) for name in SECRET),  # a ConfigMap is no place for them
    ("defaults", ["secrets.further[0]=EXCHANGE_NOTHING"], "further"),
    ("defaults", ["image.digest=sha256:1"], "digest"),
    ("defaults", ["measure.graceSeconds=10"], "graceSeconds"),
    ("defaults", ["beat.replicas=2"], "beat"),
    ("defaults", ["networkPolicy.allow[0].cidr=10.0.0.1"], "allow"),
    ("defaults", ["grpc.service.type=ExternalName"], "type"),
    ("defaults", ["web.resources.limits.memory=lots"], "memory"),
)

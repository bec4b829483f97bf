{{/* The variables that are no secrets, the same for every process. */}}
{{- define "exchange.config" -}}
{{- $name := include "exchange.fullname" . -}}
DJANGO_SETTINGS_MODULE: exchange.settings.prod
EXCHANGE_STATE_DIR: /var/lib/exchange
EXCHANGE_WEB_ADDRESS: 0.0.0.0:8000
EXCHANGE_GRPC_ADDRESS: 0.0.0.0:50051
EXCHANGE_ALLOWED_HOSTS: {{ prepend .Values.site.otherHosts .Values.site.host | join "," }}
EXCHANGE_SITE_URL: https://{{ .Values.site.host }}
EXCHANGE_TRUSTED_PROXIES: {{ .Values.site.proxies | quote }}
EXCHANGE_GRPC_TRUSTED_PROXIES: {{ .Values.site.grpcProxies | quote }}
EXCHANGE_MAIL_FROM: {{ .Values.mail.from | quote }}
EXCHANGE_EVIDENCE_URL: {{ include "exchange.evidenceUrl" . | quote }}
{{- if eq .Values.evidence.kind "s3" }}
AWS_REGION: {{ .Values.s3.region | quote }}
{{- with ternary (printf "http://%s-s3:8333" $name) .Values.s3.endpoint .Values.s3.bundled }}
AWS_ENDPOINT_URL_S3: {{ . | quote }}
{{- end }}
{{- end }}
{{- range $key, $value := .Values.config }}
{{ $key }}: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "exchange.evidenceUrl" -}}
{{- if eq .Values.evidence.kind "volume" -}}
file:///var/lib/exchange/evidence
{{- else -}}
s3://{{ .Values.s3.bucket }}{{ with .Values.s3.prefix }}/{{ . }}{{ end }}{{ with .Values.s3.public }}?public={{ . }}{{ end }}
{{- end -}}
{{- end -}}

{{/* What values.schema.json cannot say of two values at once. */}}
{{- define "exchange.refuse" -}}
{{- $v := .Values -}}
{{- $names := dict "postgresql" $v.postgresql "valkey" $v.valkey -}}
{{- range $name, $server := $names -}}
{{- if and (not $server.bundled) (not $server.secret) -}}
{{- fail (printf "%s.bundled is false: %s.secret must name the Secret with its address." $name $name) -}}
{{- end -}}
{{- if and $server.bundled $server.secret -}}
{{- fail (printf "%s.secret names a server outside, and %s.bundled is true: keep one." $name $name) -}}
{{- end -}}
{{- end -}}
{{- if and $v.s3.bundled (or $v.s3.secret $v.s3.endpoint) -}}
{{- fail "s3.secret or s3.endpoint names a store outside, and s3.bundled is true: keep one." -}}
{{- end -}}
{{- if and (not $v.secrets.existing) (not $v.mail.url) -}}
{{- fail "mail.url is needed, such as smtp+tls://mail.example.org:587, or secrets.existing with EXCHANGE_EMAIL_URL." -}}
{{- end -}}
{{- if and $v.secrets.existing $v.mail.url -}}
{{- fail "mail.url is not read with secrets.existing, whose EXCHANGE_EMAIL_URL counts: keep one." -}}
{{- end -}}
{{- if and $v.ingress.enabled (lt (int $v.site.proxies) 1) -}}
{{- fail "ingress.enabled puts a proxy before the website: site.proxies must count it." -}}
{{- end -}}
{{- if and $v.ingress.grpc.enabled (lt (int $v.site.grpcProxies) 1) -}}
{{- fail "ingress.grpc.enabled puts a proxy before gRPC: site.grpcProxies must count it." -}}
{{- end -}}
{{- if and $v.ingress.grpc.enabled (not $v.ingress.grpc.host) -}}
{{- fail "ingress.grpc.enabled needs ingress.grpc.host." -}}
{{- end -}}
{{- if and (eq $v.evidence.kind "volume") (eq $v.evidence.volume.accessMode "ReadWriteOnce") -}}
{{- range $name := list "web" "grpc" "worker" "measure" -}}
{{- $process := index $v $name -}}
{{- if or (gt (int $process.replicas) 1) (dig "autoscaling" "enabled" false $process) -}}
{{- fail (printf "evidence.volume.accessMode is ReadWriteOnce, which several %s pods cannot share: use ReadWriteMany, S3, or %s.replicas 1 without autoscaling." $name $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $name, $process := dict "web" $v.web "grpc" $v.grpc "worker" $v.worker -}}
{{- if gt (int $process.autoscaling.min) (int $process.autoscaling.max) -}}
{{- fail (printf "%s.autoscaling.min is above its max." $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

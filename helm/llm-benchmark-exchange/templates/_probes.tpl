{{/* Takes (list root process). Workers show life by progress they made, not by a timer. */}}
{{- define "exchange.probes" -}}
{{- $root := index . 0 -}}
{{- $process := index . 1 -}}
{{- if eq $process "web" -}}
startupProbe: {{- include "exchange.webProbe" (list $root "/live") | nindent 2 }}
  periodSeconds: 3
  failureThreshold: 40
livenessProbe: {{- include "exchange.webProbe" (list $root "/live") | nindent 2 }}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe: {{- include "exchange.webProbe" (list $root "/ready") | nindent 2 }}
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 3
{{- else if eq $process "grpc" -}}
startupProbe:
  grpc: {port: 50051}
  periodSeconds: 3
  failureThreshold: 40
livenessProbe:
  tcpSocket: {port: grpc}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  grpc: {port: 50051}
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 3
{{- else -}}
startupProbe:
  exec: {command: [python, -m, exchange.alive, --kind, {{ $process }}]}
  periodSeconds: 10
  timeoutSeconds: 30
  failureThreshold: 30
livenessProbe:
  exec: {command: [python, -m, exchange.alive, --kind, {{ $process }}]}
  periodSeconds: 60
  timeoutSeconds: 30
  failureThreshold: 3
{{- end -}}
{{- end -}}

{{- define "exchange.webProbe" -}}
httpGet:
  path: {{ index . 1 }}
  port: http
  httpHeaders:
    - {name: Host, value: {{ (index . 0).Values.site.host }}}
{{- end -}}

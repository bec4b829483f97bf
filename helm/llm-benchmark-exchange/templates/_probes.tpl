{{/*
Takes a process. Without Redis the website is not ready, yet it takes claims: its pods stay in their Service.
Workers show life by the progress that they make, not by a timer.
*/}}
{{- define "exchange.probes" -}}
{{- if eq . "web" -}}
startupProbe:
  httpGet: {path: /live, port: http}
  periodSeconds: 3
  failureThreshold: 40
livenessProbe:
  httpGet: {path: /live, port: http}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /accepting, port: http}
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 3
{{- else if eq . "grpc" -}}
startupProbe:
  grpc: {port: 50051}
  periodSeconds: 3
  failureThreshold: 40
livenessProbe:
  grpc: {port: 50051, service: live}
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
  exec: {command: [python, -m, exchange.alive, --kind, {{ . }}]}
  periodSeconds: 10
  timeoutSeconds: 30
  failureThreshold: 30
livenessProbe:
  exec: {command: [python, -m, exchange.alive, --kind, {{ . }}]}
  periodSeconds: 60
  timeoutSeconds: 30
  failureThreshold: 3
{{- end -}}
{{- end -}}

{{/* What every container of our own images has but its command. Takes (list root process). */}}
{{- define "exchange.container" -}}
{{- $root := index . 0 -}}
image: {{ include "exchange.image" . | quote }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
securityContext: {{- include "exchange.containerSecurity" . | nindent 2 }}
envFrom:
  - configMapRef: {name: {{ include "exchange.fullname" $root }}}
env: {{- include "exchange.env" . | nindent 2 }}
volumeMounts: {{- include "exchange.mounts" $root | nindent 2 }}
{{- end -}}

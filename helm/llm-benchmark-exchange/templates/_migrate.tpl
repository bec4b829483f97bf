{{/* The variables stand here themselves: before an upgrade the ConfigMap is still the old one. */}}
{{- define "exchange.migratePod" -}}
{{- $of := list . "migrate" -}}
metadata:
  labels: {{- include "exchange.labels" $of | nindent 4 }}
spec:
  {{- include "exchange.podBasics" $of | nindent 2 }}
  # Pods that failed stay, and with them what they said.
  restartPolicy: Never
  containers:
    - name: migrate
      image: {{ include "exchange.image" $of | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: [migrate]
      securityContext: {{- include "exchange.containerSecurity" . | nindent 8 }}
      env:
        {{- range $key, $value := include "exchange.config" . | fromYaml }}
        - {name: {{ $key }}, value: {{ $value | quote }}}
        {{- end }}
        {{- include "exchange.env" $of | nindent 8 }}
      resources: {{- toYaml .Values.migrate.resources | nindent 8 }}
      volumeMounts: {{- include "exchange.mounts" . | nindent 8 }}
  volumes: {{- include "exchange.volumes" $of | nindent 4 }}
{{- end -}}

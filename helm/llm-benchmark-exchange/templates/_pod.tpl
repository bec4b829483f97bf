{{- define "exchange.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "exchange.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{/* Of every pod, those of bundled servers too: their images may come from a registry of yours. */}}
{{- define "exchange.pullSecrets" -}}
{{- with .Values.image.pullSecrets -}}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* What all pods of our own images share. Takes (list root process). */}}
{{- define "exchange.podBasics" -}}
{{- $root := index . 0 -}}
serviceAccountName: {{ include "exchange.fullname" $root }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with include "exchange.pullSecrets" $root }}
{{ . }}
{{- end }}
securityContext: {{- include "exchange.podSecurity" 10001 | nindent 2 }}
{{- if and (eq $root.Values.evidence.kind "volume") (eq $root.Values.evidence.volume.accessMode "ReadWriteOnce") }}
affinity: {{- include "exchange.besideTheVolume" $root | nindent 2 }}
{{- end }}
{{- end -}}

{{/* A volume that one node mounts keeps all that read it on that node. */}}
{{- define "exchange.besideTheVolume" -}}
podAffinity:
  requiredDuringSchedulingIgnoredDuringExecution:
    - topologyKey: kubernetes.io/hostname
      labelSelector:
        matchLabels: {app.kubernetes.io/instance: {{ .Release.Name }}}
        matchExpressions:
          - {key: app.kubernetes.io/component, operator: In, values: [web, grpc, worker, measure, beat, migrate]}
{{- end -}}

{{/* Takes (list root process); `migrate` alone gets the roles that may make tables. */}}
{{- define "exchange.secretNames" -}}
{{- $root := index . 0 -}}
{{- $v := $root.Values -}}
{{- $process := index . 1 -}}
{{- $own := list "EXCHANGE_SECRET_KEY" "EXCHANGE_KEYRING" "EXCHANGE_EMAIL_URL" -}}
{{- if and $v.monitoring.enabled (eq $process "web") -}}{{- $own = append $own "EXCHANGE_METRICS_TOKEN" -}}{{- end -}}
{{- $own = concat $own $v.secrets.further | uniq -}}
{{- $database := list "DATABASE_URL" -}}
{{- if eq $process "migrate" -}}
{{- $database = append $database "DATABASE_OWNER_URL" -}}
{{- if or $v.postgresql.bundled $v.postgresql.makesRoles -}}{{- $database = append $database "DATABASE_ADMIN_URL" -}}{{- end -}}
{{- end -}}
{{- list (list (include "exchange.secret" $root) $own) (list (include "exchange.databaseSecret" $root) $database) (list (include "exchange.redisSecret" $root) (list "REDIS_URL")) | toJson -}}
{{- end -}}

{{/* Secrets come as files, which no child process inherits and no dump of an environment shows. */}}
{{- define "exchange.env" -}}
{{- $root := index . 0 -}}
{{- range include "exchange.secretNames" . | fromJsonArray }}
{{- range index . 1 }}
- name: {{ . }}_FILE
  value: /run/secrets/exchange/{{ . }}
{{- end }}
{{- end }}
{{- if $root.Values.authorities.configMap }}
{{- range list "SSL_CERT_FILE" "AWS_CA_BUNDLE" "PGSSLROOTCERT" }}
- {name: {{ . }}, value: /run/authorities/ca.crt}
{{- end }}
{{- end }}
{{- if and (eq $root.Values.evidence.kind "s3") (include "exchange.s3Secret" $root) }}
{{- range list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" }}
- name: {{ . }}
  valueFrom: {secretKeyRef: {name: {{ include "exchange.s3Secret" $root }}, key: {{ . }}}}
{{- end }}
{{- end }}
{{- end -}}

{{- define "exchange.mounts" -}}
- {name: tmp, mountPath: /tmp}
- {name: state, mountPath: /var/lib/exchange}
- {name: secrets, mountPath: /run/secrets/exchange, readOnly: true}
{{- if .Values.authorities.configMap }}
- {name: authorities, mountPath: /run/authorities, readOnly: true}
{{- end }}
{{- if eq .Values.evidence.kind "volume" }}
- {name: evidence, mountPath: /var/lib/exchange/evidence}
{{- end }}
{{- end -}}

{{- define "exchange.volumes" -}}
{{- $root := index . 0 -}}
- name: tmp
  emptyDir: {sizeLimit: 2Gi}
- name: state
  emptyDir: {sizeLimit: 2Gi}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range include "exchange.secretNames" . | fromJsonArray }}
      - secret:
          name: {{ index . 0 }}
          items:
            {{- range index . 1 }}
            - {key: {{ . }}, path: {{ . }}}
            {{- end }}
      {{- end }}
{{- with $root.Values.authorities }}
{{- if .configMap }}
- name: authorities
  configMap: {name: {{ .configMap }}, items: [{key: {{ .key }}, path: ca.crt}]}
{{- end }}
{{- end }}
{{- if eq $root.Values.evidence.kind "volume" }}
- name: evidence
  persistentVolumeClaim: {claimName: {{ include "exchange.fullname" $root }}-evidence}
{{- end }}
{{- end -}}

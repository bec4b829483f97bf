{{/* 40 characters leave room for what is added, since a pod's name and its labels take 63. */}}
{{- define "exchange.fullname" -}}
{{- $name := .Values.fullnameOverride | default (ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name)) -}}
{{- $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Takes (list root component); labels may not change in a Deployment that exists. */}}
{{- define "exchange.selector" -}}
app.kubernetes.io/name: {{ (index . 0).Chart.Name }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "exchange.labels" -}}
{{ include "exchange.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
helm.sh/chart: {{ printf "%s-%s" (index . 0).Chart.Name (index . 0).Chart.Version }}
{{- end -}}

{{- define "exchange.image" -}}
{{- $root := index . 0 -}}
{{- $image := $root.Values.image -}}
{{- $repository := ternary $image.measureRepository $image.repository (eq (index . 1) "measure") -}}
{{- $digest := ternary $image.measureDigest $image.digest (eq (index . 1) "measure") -}}
{{- with $image.registry }}{{ . }}/{{ end }}{{ $repository }}:{{ $image.tag | default $root.Chart.AppVersion }}{{ with $digest }}@{{ . }}{{ end }}
{{- end -}}

{{- define "exchange.generatedSecret" -}}{{ include "exchange.fullname" . }}-generated{{- end -}}
{{- define "exchange.secret" -}}{{ .Values.secrets.existing | default (include "exchange.generatedSecret" .) }}{{- end -}}
{{- define "exchange.databaseSecret" -}}{{ ternary (include "exchange.generatedSecret" .) .Values.postgresql.secret .Values.postgresql.bundled }}{{- end -}}
{{- define "exchange.redisSecret" -}}{{ ternary (include "exchange.generatedSecret" .) .Values.valkey.secret .Values.valkey.bundled }}{{- end -}}
{{- define "exchange.s3Secret" -}}{{ ternary (include "exchange.generatedSecret" .) .Values.s3.secret .Values.s3.bundled }}{{- end -}}
{{- define "exchange.bundlesS3" -}}{{ if and (eq .Values.evidence.kind "s3") .Values.s3.bundled }}true{{ end }}{{- end -}}

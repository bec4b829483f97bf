{{/*
What the chart makes up itself, as plain values by key. Made once for each rendering, and taken from the
Secret that is there already: a new key of the ring would leave the endpoints' keys sealed for ever. Nothing
that it holds is ever taken out, also when other values make it needless.
*/}}
{{- define "exchange.generate" -}}
{{- if not (hasKey .Values.secrets "generated") -}}
{{- $found := (lookup "v1" "Secret" .Release.Namespace (include "exchange.generatedSecret" .)).data | default dict -}}
{{- $made := dict -}}
{{- if not .Values.secrets.existing -}}
{{- $_ := set $made "EXCHANGE_SECRET_KEY" (randAlphaNum 64) -}}
{{- $_ := set $made "EXCHANGE_KEYRING" (dict "first" (randBytes 32) | toJson) -}}
{{- $_ := set $made "EXCHANGE_METRICS_TOKEN" (randAlphaNum 40) -}}
{{- end -}}
{{- if .Values.postgresql.bundled -}}
{{- range list "ADMIN" "OWNER" "APP" -}}{{- $_ := set $made (printf "POSTGRES_%s_PASSWORD" .) (randAlphaNum 32) -}}{{- end -}}
{{- end -}}
{{- if .Values.valkey.bundled -}}{{- $_ := set $made "VALKEY_PASSWORD" (randAlphaNum 32) -}}{{- end -}}
{{- if include "exchange.bundlesS3" . -}}
{{- $_ := set $made "AWS_ACCESS_KEY_ID" (randAlphaNum 20) -}}
{{- $_ := set $made "AWS_SECRET_ACCESS_KEY" (randAlphaNum 40) -}}
{{- end -}}
{{- range $key, $value := $found -}}{{- $_ := set $made $key (b64dec $value) -}}{{- end -}}
{{- include "exchange.compose" (list . $made) -}}
{{- $_ := set .Values.secrets "generated" $made -}}
{{- end -}}
{{- end -}}

{{/* Adds the addresses that follow from passwords and names. */}}
{{- define "exchange.compose" -}}
{{- $root := index . 0 -}}
{{- $made := index . 1 -}}
{{- $name := include "exchange.fullname" $root -}}
{{- if not $root.Values.secrets.existing -}}{{- $_ := set $made "EXCHANGE_EMAIL_URL" $root.Values.mail.url -}}{{- end -}}
{{- if $root.Values.postgresql.bundled -}}
{{- $at := printf "%s-postgresql:5432" $name -}}
{{- $_ := set $made "DATABASE_URL" (printf "postgresql://exchange_app:%s@%s/exchange" $made.POSTGRES_APP_PASSWORD $at) -}}
{{- $_ := set $made "DATABASE_OWNER_URL" (printf "postgresql://exchange_owner:%s@%s/exchange" $made.POSTGRES_OWNER_PASSWORD $at) -}}
{{- $_ := set $made "DATABASE_ADMIN_URL" (printf "postgresql://postgres:%s@%s/postgres" $made.POSTGRES_ADMIN_PASSWORD $at) -}}
{{- end -}}
{{- if $root.Values.valkey.bundled -}}{{- $_ := set $made "REDIS_URL" (printf "redis://:%s@%s-valkey:6379/0" $made.VALKEY_PASSWORD $name) -}}{{- end -}}
{{- end -}}

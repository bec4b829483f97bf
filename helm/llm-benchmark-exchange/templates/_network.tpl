{{/* Addresses that are nobody's, or somebody's own: no endpoint of a provider is there. */}}
{{- define "exchange.publicInternet" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except: [0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24, 192.168.0.0/16, 198.18.0.0/15, 224.0.0.0/4, 240.0.0.0/4]
- ipBlock:
    cidr: "::/0"
    except: ["::1/128", "64:ff9b:1::/48", "fc00::/7", "fe80::/10", "ff00::/8"]
{{- end -}}

{{/* Pods of this release by component. Takes (list root component…). */}}
{{- define "exchange.components" -}}
matchLabels:
  app.kubernetes.io/name: {{ (index . 0).Chart.Name }}
  app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
matchExpressions:
  - {key: app.kubernetes.io/component, operator: In, values: [{{ rest . | join ", " }}]}
{{- end -}}

{{/* Takes (list root name); the rest of the object follows. */}}
{{- define "exchange.policy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "exchange.fullname" (index . 0) }}-{{ index . 1 }}
  labels: {{- include "exchange.labels" (list (index . 0) "network") | nindent 4 }}
{{- end -}}

{{/* Who enters a bundled server. Takes (list root server port users). */}}
{{- define "exchange.entrance" -}}
{{- $root := index . 0 -}}
{{ include "exchange.policy" (list $root (index . 1)) }}
spec:
  podSelector: {{- include "exchange.components" (list $root (index . 1)) | nindent 4 }}
  policyTypes: [Ingress]
  ingress:
    - from:
        - podSelector: {{- include "exchange.components" (prepend (index . 3) $root) | nindent 12 }}
      ports: [{port: {{ index . 2 }}}]
{{- end -}}

{{/* The way to a server of this release, or to one outside. Takes (list root server port bundled egress). */}}
{{- define "exchange.wayTo" -}}
{{- $root := index . 0 -}}
{{- if index . 3 -}}
- to:
    - podSelector: {{- include "exchange.components" (list $root (index . 1)) | nindent 8 }}
  ports: [{port: {{ index . 2 }}}]
{{- else -}}
- to:
    {{- range (index . 4).cidrs }}
    - ipBlock: {cidr: {{ . | quote }}}
    {{- end }}
  ports: [{port: {{ (index . 4).port }}}]
{{- end -}}
{{- end -}}

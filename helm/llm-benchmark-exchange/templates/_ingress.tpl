{{/* Takes (list root process annotations tlsSecret hosts). */}}
{{- define "exchange.ingress" -}}
{{- $root := index . 0 }}
{{- $process := index . 1 }}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ include "exchange.fullname" $root }}-{{ $process }}
  labels: {{- include "exchange.labels" (list $root $process) | nindent 4 }}
  {{- with index . 2 }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with $root.Values.ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- if index . 3 }}
  tls:
    - secretName: {{ index . 3 }}
      hosts: {{- toYaml (index . 4) | nindent 8 }}
  {{- end }}
  rules:
    {{- range index . 4 }}
    - host: {{ . }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ include "exchange.fullname" $root }}-{{ $process }}
                port: {name: {{ ternary "http" "grpc" (eq $process "web") }}}
    {{- end }}
{{- end -}}

{{/* One pod, for evaluation. Takes (list root name port uid values container mountPath); `container` is what it has of its own. */}}
{{- define "exchange.bundled" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $port := index . 2 -}}
{{- $server := index . 4 -}}
{{- $of := list $root $name -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "exchange.fullname" $root }}-{{ $name }}
  labels: {{- include "exchange.labels" $of | nindent 4 }}
spec:
  selector: {{- include "exchange.selector" $of | nindent 4 }}
  ports: [{name: {{ $name }}, port: {{ $port }}, targetPort: {{ $name }}}]
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ include "exchange.fullname" $root }}-{{ $name }}
  labels: {{- include "exchange.labels" $of | nindent 4 }}
spec:
  replicas: 1
  serviceName: {{ include "exchange.fullname" $root }}-{{ $name }}
  selector:
    matchLabels: {{- include "exchange.selector" $of | nindent 6 }}
  template:
    metadata:
      labels: {{- include "exchange.labels" $of | nindent 8 }}
    spec:
      serviceAccountName: {{ include "exchange.fullname" $root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- with include "exchange.pullSecrets" $root }}
      {{- . | nindent 6 }}
      {{- end }}
      terminationGracePeriodSeconds: 60
      securityContext: {{- include "exchange.podSecurity" (index . 3) | nindent 8 }}
      containers:
        - name: {{ $name }}
          image: {{ $server.image | quote }}
          securityContext: {{- include "exchange.containerSecurity" $root | nindent 12 }}
          ports: [{name: {{ $name }}, containerPort: {{ $port }}}]
          {{- index . 5 | nindent 10 }}
          resources: {{- toYaml $server.resources | nindent 12 }}
          volumeMounts:
            - {name: data, mountPath: {{ index . 6 }}}
            - {name: tmp, mountPath: /tmp}
            {{- if eq $name "postgresql" }}
            - {name: run, mountPath: /var/run/postgresql}
            - {name: shm, mountPath: /dev/shm}
            {{- end }}
      volumes:
        - {name: tmp, emptyDir: {}}
        {{- if eq $name "postgresql" }}
        - {name: run, emptyDir: {}}
        - {name: shm, emptyDir: {medium: Memory, sizeLimit: 256Mi}}
        {{- end }}
        {{- if not (hasKey $server "volume") }}
        - {name: data, emptyDir: {}}
        {{- end }}
  {{- with $server.volume }}
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        {{- with .storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources: {requests: {storage: {{ .size }}}}
  {{- end }}
{{- end -}}

{{/* Takes (list root name-of-variable key). */}}
{{- define "exchange.fromGenerated" -}}
- name: {{ index . 1 }}
  valueFrom: {secretKeyRef: {name: {{ include "exchange.generatedSecret" (index . 0) }}, key: {{ index . 2 }}}}
{{- end -}}

{{/* Probes: over HTTP for the gateway and with TLS, otherwise over gRPC. The service `liveness` covers the process alone;
the empty service name includes the database and the broker. */}}
{{- define "hourglass.probes" -}}
{{- $http := or (eq .part.kind "gateway") .root.Values.tls.enabled -}}
startupProbe:
{{- if $http }}
  httpGet: { path: /healthz, port: ops }
{{- else }}
  grpc: { port: {{ int .part.grpc }}, service: liveness }
{{- end }}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 60
livenessProbe:
{{- if $http }}
  httpGet: { path: /healthz, port: ops }
{{- else }}
  grpc: { port: {{ int .part.grpc }}, service: liveness }
{{- end }}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
{{- if $http }}
  httpGet: { path: /readyz, port: ops }
{{- else }}
  grpc: { port: {{ int .part.grpc }} }
{{- end }}
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
{{- end -}}

{{/* The container of a part: root, name, part, values. */}}
{{- define "hourglass.container" -}}
name: {{ .part.kind }}
image: {{ include "hourglass.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
command: {{ concat (list "node" .part.entry) (default list .values.command) | toJson }}
env: {{- include "hourglass.env" . | nindent 2 }}
{{- if .part.ops }}
ports:
{{- if .part.http }}
  - { name: http, containerPort: {{ int .part.http }} }
{{- else }}
  - { name: grpc, containerPort: {{ int .part.grpc }} }
{{- end }}
  - { name: ops, containerPort: {{ int .part.ops }} }
{{ include "hourglass.probes" . }}
lifecycle:
  preStop:
    exec:
      command: [sleep, {{ .root.Values.preStopSeconds | quote }}]
{{- end }}
resources: {{- toYaml .values.resources | nindent 2 }}
securityContext: {{- toYaml .root.Values.securityContext | nindent 2 }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: models, mountPath: /models }
{{- with include "hourglass.secretsMount" . }}
  - {{ . }}
{{- end }}
{{- if .root.Values.tls.enabled }}
  - { name: tls, mountPath: /tls, readOnly: true }
{{- end }}
{{- end -}}

{{/* Downloads missing models before a worker starts: root, name, part, values. */}}
{{- define "hourglass.pullModels" -}}
name: models
image: {{ include "hourglass.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
command: {{ concat (list "node" "services/standalone/dist/admin/main.js" "models" "pull") .root.Values.models.pull | toJson }}
env: {{- include "hourglass.env" . | nindent 2 }}
resources: {{- toYaml .values.resources | nindent 2 }}
securityContext: {{- toYaml .root.Values.securityContext | nindent 2 }}
volumeMounts:
  - { name: tmp, mountPath: /tmp }
  - { name: models, mountPath: /models }
{{- with include "hourglass.secretsMount" . }}
  - {{ . }}
{{- end }}
{{- end -}}

{{- define "hourglass.topologySpread" -}}
{{- range .root.Values.topologySpread.keys }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: {{ $.root.Values.topologySpread.whenUnsatisfiable }}
  # Spread each revision separately: during an update the old pods would otherwise crowd the new ones together.
  matchLabelKeys: [pod-template-hash]
  labelSelector:
    matchLabels:
      {{- include "hourglass.selectorLabels" $.root | nindent 6 }}
      app.kubernetes.io/component: {{ $.name }}
{{- end }}
{{- end -}}

{{- define "hourglass.pod" -}}
serviceAccountName: {{ include "hourglass.serviceAccount" .root }}
automountServiceAccountToken: false
enableServiceLinks: false
terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
{{- if eq .part.kind "worker" }}
# The pod's first process then reaps decoders whose parent was killed; Node as the first one would not.
shareProcessNamespace: true
{{- end }}
securityContext: {{- toYaml .root.Values.podSecurityContext | nindent 2 }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- if and (eq .part.kind "worker") .root.Values.models.pull }}
initContainers:
  - {{- include "hourglass.pullModels" . | nindent 4 }}
{{- end }}
containers:
  - {{- include "hourglass.container" . | nindent 4 }}
volumes:
  - { name: tmp, emptyDir: { sizeLimit: {{ .root.Values.scratch.sizeLimit }} } }
{{- if and (eq .part.kind "worker") .root.Values.models.existingClaim }}
  - { name: models, persistentVolumeClaim: { claimName: {{ .root.Values.models.existingClaim }} } }
{{- else }}
  - { name: models, emptyDir: { sizeLimit: {{ .root.Values.models.sizeLimit }} } }
{{- end }}
{{- with include "hourglass.secretsVolume" . }}
  - {{- . | nindent 4 }}
{{- end }}
{{- if .root.Values.tls.enabled }}
  - { name: tls, secret: { secretName: {{ .root.Values.tls.existingSecret }}, defaultMode: 0440 } }
{{- end }}
{{- if and .part.ops .root.Values.topologySpread.enabled }}
topologySpreadConstraints: {{- include "hourglass.topologySpread" . | nindent 2 }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

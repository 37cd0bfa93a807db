{{/* `from:` or `to:` with these peers; empty without peers, which allows all. */}}
{{- define "hourglass.peers" -}}
{{- with .peers -}}
{{ $.key }}: {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end -}}

{{- define "hourglass.callerKey" -}}app.kubernetes.io/component{{- end -}}

{{/* Components by part name; "worker" stands for every group of workers. */}}
{{- define "hourglass.callerNames" -}}
{{- $root := .root -}}
{{- range .callers }}
{{- if eq . "worker" }}
{{- range $name, $_ := include "hourglass.workers" $root | fromYaml }}
- worker-{{ $name }}
{{- end }}
{{- else }}
- {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{/* A peer that matches any of these parts. */}}
{{- define "hourglass.callers" -}}
- podSelector:
    matchLabels: {{- include "hourglass.selectorLabels" .root | nindent 6 }}
    matchExpressions:
      - key: {{ include "hourglass.callerKey" . }}
        operator: In
        values: {{- include "hourglass.callerNames" . | nindent 10 }}
{{- end -}}

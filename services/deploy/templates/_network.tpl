{{/* `from:` or `to:` with these peers; nothing at all for none, which means everybody. */}}
{{- define "hourglass.peers" -}}
{{- with .peers -}}
{{ $.key }}: {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end -}}

{{- define "hourglass.callerKey" -}}app.kubernetes.io/component{{- end -}}

{{/* Components by the names of parts, where "worker" stands for every group of workers. */}}
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

{{/* A peer that is any of these parts. */}}
{{- define "hourglass.callers" -}}
- podSelector:
    matchLabels: {{- include "hourglass.selectorLabels" .root | nindent 6 }}
    matchExpressions:
      - key: {{ include "hourglass.callerKey" . }}
        operator: In
        values: {{- include "hourglass.callerNames" . | nindent 10 }}
{{- end -}}

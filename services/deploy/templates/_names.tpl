{{/* Names and labels. */}}
{{- define "hourglass.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "hourglass.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Labels of an object: root, and component if it belongs to one part. */}}
{{- define "hourglass.labels" -}}
{{ include "hourglass.selectorLabels" .root }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: hourglass
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "hourglass.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "hourglass.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* The image of a part, which may differ from the others' during an upgrade: root, values. */}}
{{- define "hourglass.image" -}}
{{- $common := .root.Values.image -}}
{{- $own := default dict .values.image -}}
{{- $image := ternary $own $common (or (not (empty $own.tag)) (not (empty $own.digest))) -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $common.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $common.repository (default .root.Chart.AppVersion $image.tag) -}}
{{- end -}}
{{- end -}}

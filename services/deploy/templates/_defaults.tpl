{{/* Adds the values that are new in this version: an upgrade with --reuse-values takes over those of the earlier one, without
its defaults. Every template that reads values includes it first. defaults.yaml is values.yaml. */}}
{{- define "hourglass.defaults" -}}
{{- range $name, $value := .Files.Get "defaults.yaml" | fromYaml -}}
{{- if not (hasKey $.Values $name) -}}
{{- $_ := set $.Values $name $value -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The non-secret variables of one process, as a map: root, name, part, values. */}}
{{- define "hourglass.variables" -}}
{{- $root := .root -}}
{{- $fullname := include "hourglass.fullname" $root -}}
{{- $vars := dict "HOST" "0.0.0.0" "LOG_LEVEL" $root.Values.logLevel "MODELS_DIR" "/models" -}}
{{- range $name, $part := include "hourglass.parts" $root | fromYaml -}}
{{- if $part.grpc -}}
{{- $_ := set $vars (printf "%s_ADDRESS" (upper $name)) (printf "dns:///%s-%s-headless:%d" $fullname $name (int $part.grpc)) -}}
{{- end -}}
{{- end -}}
{{- if eq .part.kind "gateway" -}}
{{- $_ := set $vars "PORT" (int .part.http) -}}
{{- $proxies := .values.trustedProxies | toString | default (ternary "1" "" .values.ingress.enabled) -}}
{{- if $proxies -}}
{{- $_ := set $vars "TRUSTED_PROXIES" $proxies -}}
{{- end -}}
{{- else if .part.grpc -}}
{{- $_ := set $vars "GRPC_PORT" (int .part.grpc) -}}
{{- end -}}
{{- if .part.ops -}}
{{- $_ := set $vars "OPS_PORT" (int .part.ops) -}}
{{- end -}}
{{- if has "rabbitmq" .part.backends -}}
{{- $_ := set $vars "AMQP_PREFIX" $root.Values.rabbitmq.prefix -}}
{{- end -}}
{{- if eq .part.kind "worker" -}}
{{- $_ := set $vars "WORKER_ROLES" (join "," .values.roles) -}}
{{- end -}}
{{- if eq .name "auth" -}}
{{- $_ := set $vars "BOOTSTRAP_EMAIL" $root.Values.bootstrap.email -}}
{{- $_ := set $vars "BOOTSTRAP_COMPANY" $root.Values.bootstrap.company -}}
{{- end -}}
{{- if $root.Values.tls.enabled -}}
{{- $_ := set $vars "TLS_CERT_FILE" "/tls/tls.crt" -}}
{{- $_ := set $vars "TLS_KEY_FILE" "/tls/tls.key" -}}
{{- $_ := set $vars "TLS_CA_FILE" "/tls/ca.crt" -}}
{{- $_ := set $vars "TLS_CLIENT_CERTS" $root.Values.tls.clientCertificates -}}
{{- end -}}
{{- with $root.Values.telemetry -}}
{{- if .endpoint -}}
{{- $_ := set $vars "OTEL_EXPORTER_OTLP_ENDPOINT" .endpoint -}}
{{- $_ := set $vars "OTEL_TRACES_SAMPLER" .sampler -}}
{{- $_ := set $vars "OTEL_TRACES_SAMPLER_ARG" .samplerRatio -}}
{{- $_ := set $vars "OTEL_SERVICE_NAME" (printf "hourglass-%s" $.name) -}}
{{- $_ := set $vars "OTEL_RESOURCE_ATTRIBUTES" (printf "k8s.namespace.name=%s,service.version=%s" $root.Release.Namespace $root.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}
{{- toYaml (mergeOverwrite $vars (deepCopy $root.Values.env) (deepCopy .values.env)) -}}
{{- end -}}

{{/* One variable from a secret: name, secret, key. */}}
{{- define "hourglass.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end -}}

{{/* The env of one container: root, name, part, values. A part gets only the URLs of backends that it uses. */}}
{{- define "hourglass.env" -}}
{{- $variables := include "hourglass.variables" . | fromYaml -}}
{{- /* Through YAML every number becomes a float, and a large one would print as 2e+07. */ -}}
{{- range $key, $value := $variables }}
- name: {{ $key }}
  value: {{ if and (kindIs "float64" $value) (eq $value (floor $value)) }}{{ int64 $value | quote }}{{ else }}{{ $value | toString | quote }}{{ end }}
{{- end }}
{{- with .root.Values }}
{{- if has "mongodb" $.part.backends }}
{{ include "hourglass.fromSecret" (dict "name" "MONGODB_URL" "secret" .mongodb.existingSecret "key" .mongodb.urlKey) }}
{{- end }}
{{- if has "rabbitmq" $.part.backends }}
{{ include "hourglass.fromSecret" (dict "name" "AMQP_URL" "secret" .rabbitmq.existingSecret "key" .rabbitmq.urlKey) }}
{{- end }}
{{- if or (has $.name (list "auth" "operation" "export")) (eq $.part.kind "worker") }}
{{ include "hourglass.fromSecret" (dict "name" "SERVICE_SECRET" "secret" .serviceSecret.existingSecret "key" .serviceSecret.key) }}
{{- end }}
{{- if and (has $.name (list "auth" "admin")) .signingKeys.existingSecret }}
{{ include "hourglass.fromSecret" (dict "name" "SIGNING_KEY_PASSPHRASE" "secret" .signingKeys.existingSecret "key" .signingKeys.passphraseKey) }}
{{- end }}
{{- if and (eq $.name "auth") .bootstrap.existingSecret }}
{{ include "hourglass.fromSecret" (dict "name" "BOOTSTRAP_PASSWORD" "secret" .bootstrap.existingSecret "key" .bootstrap.passwordKey) }}
{{- end }}
{{- if and .telemetry.endpoint .telemetry.headersSecret }}
{{ include "hourglass.fromSecret" (dict "name" "OTEL_EXPORTER_OTLP_HEADERS" "secret" .telemetry.headersSecret "key" .telemetry.headersKey) }}
{{- end }}
{{- end }}
{{- if or (has .name (list "insight" "admin")) (eq .part.kind "worker") }}
{{- range $name, $from := .root.Values.secretEnv }}
{{ include "hourglass.fromSecret" (dict "name" $name "secret" $from.existingSecret "key" $from.key) }}
{{- end }}
{{- end }}
{{- if and (eq .part.kind "worker") (not (hasKey $variables "ANALYSIS_THREADS")) }}
# A process sees all cores of the node, not its limit.
- name: ANALYSIS_THREADS
  valueFrom:
    resourceFieldRef:
      resource: limits.cpu
{{- end }}
{{- end -}}

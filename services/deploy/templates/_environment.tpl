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

{{/* The secret variables of one process, as a map from name to secret and key: root, name, part. A part gets only the URLs of
backends that it uses. */}}
{{- define "hourglass.secrets" -}}
{{- $secrets := dict -}}
{{- with .root.Values -}}
{{- if has "mongodb" $.part.backends -}}
{{- $_ := set $secrets "MONGODB_URL" (dict "secret" .mongodb.existingSecret "key" .mongodb.urlKey) -}}
{{- end -}}
{{- if has "rabbitmq" $.part.backends -}}
{{- $_ := set $secrets "AMQP_URL" (dict "secret" .rabbitmq.existingSecret "key" .rabbitmq.urlKey) -}}
{{- end -}}
{{- if or (has $.name (list "auth" "operation" "export")) (eq $.part.kind "worker") -}}
{{- $_ := set $secrets "SERVICE_SECRET" (dict "secret" .serviceSecret.existingSecret "key" .serviceSecret.key) -}}
{{- end -}}
{{- if and (has $.name (list "auth" "admin")) .signingKeys.existingSecret -}}
{{- $_ := set $secrets "SIGNING_KEY_PASSPHRASE" (dict "secret" .signingKeys.existingSecret "key" .signingKeys.passphraseKey) -}}
{{- end -}}
{{- if and (eq $.name "auth") .bootstrap.existingSecret -}}
{{- $_ := set $secrets "BOOTSTRAP_PASSWORD" (dict "secret" .bootstrap.existingSecret "key" .bootstrap.passwordKey) -}}
{{- end -}}
{{- if and .telemetry.endpoint .telemetry.headersSecret -}}
{{- $_ := set $secrets "OTEL_EXPORTER_OTLP_HEADERS" (dict "secret" .telemetry.headersSecret "key" .telemetry.headersKey) -}}
{{- end -}}
{{- end -}}
{{- if or (has .name (list "insight" "admin")) (eq .part.kind "worker") -}}
{{- range $name, $from := .root.Values.secretEnv -}}
{{- $_ := set $secrets $name (dict "secret" $from.existingSecret "key" $from.key) -}}
{{- end -}}
{{- end -}}
{{- toYaml $secrets -}}
{{- end -}}

{{/* Where secrets are mounted, a file each, named as its variable: neither `kubectl describe` nor the environment of a process,
which a crash report may hold, shows them. */}}
{{- define "hourglass.secretsFolder" -}}/secrets{{- end -}}

{{/* The volume of the secrets of one process: root, name, part. Empty if it has none. */}}
{{- define "hourglass.secretsVolume" -}}
{{- with include "hourglass.secrets" . | fromYaml -}}
name: secrets
projected:
  # 0440, which parsers of YAML 1.2 would take for a decimal number.
  defaultMode: 288
  sources:
    {{- range $name, $from := . }}
    - secret: { name: {{ $from.secret }}, items: [{ key: {{ $from.key }}, path: {{ $name }} }] }
    {{- end }}
{{- end -}}
{{- end -}}

{{/* The mount of that volume. Empty if there is none. */}}
{{- define "hourglass.secretsMount" -}}
{{- if include "hourglass.secrets" . | fromYaml -}}
{ name: secrets, mountPath: {{ include "hourglass.secretsFolder" . }}, readOnly: true }
{{- end -}}
{{- end -}}

{{/* The env of one container: root, name, part, values. */}}
{{- define "hourglass.env" -}}
{{- $variables := include "hourglass.variables" . | fromYaml -}}
{{- /* Through YAML every number becomes a float, and a large one would print as 2e+07. */ -}}
{{- range $key, $value := $variables }}
- name: {{ $key }}
  value: {{ if and (kindIs "float64" $value) (eq $value (floor $value)) }}{{ int64 $value | quote }}{{ else }}{{ $value | toString | quote }}{{ end }}
{{- end }}
{{- range $name, $from := include "hourglass.secrets" . | fromYaml }}
- name: {{ $name }}_FILE
  value: {{ include "hourglass.secretsFolder" $ }}/{{ $name }}
{{- end }}
{{- if and (eq .part.kind "worker") (not (hasKey $variables "ANALYSIS_THREADS")) }}
# A process sees all cores of the node, not its limit.
- name: ANALYSIS_THREADS
  valueFrom:
    resourceFieldRef:
      resource: limits.cpu
{{- end }}
{{- end -}}

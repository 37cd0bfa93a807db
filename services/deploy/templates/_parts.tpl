{{/* The parts with an address: entry file, ports, backends and callers. */}}
{{- define "hourglass.parts" -}}
gateway:
  kind: gateway
  entry: gateway/dist/server.js
  http: 8080
  ops: 9106
  backends: []
auth:
  kind: service
  entry: services/auth/dist/server.js
  grpc: 50051
  ops: 9101
  backends: [mongodb]
  callers: [gateway, media, operation, insight, export, worker]
media:
  kind: service
  entry: services/media/dist/server.js
  grpc: 50052
  ops: 9102
  backends: [mongodb, rabbitmq]
  callers: [gateway, operation, worker]
operation:
  kind: service
  entry: services/operation/dist/server.js
  grpc: 50053
  ops: 9103
  backends: [mongodb, rabbitmq]
  callers: [gateway, worker]
insight:
  kind: service
  entry: services/insight/dist/server.js
  grpc: 50054
  ops: 9104
  backends: [mongodb, rabbitmq]
  callers: [gateway, export, worker]
export:
  kind: service
  entry: services/export/dist/server.js
  grpc: 50055
  ops: 9105
  backends: [mongodb, rabbitmq]
  callers: [gateway, worker]
{{- end -}}

{{/* Settings that all groups of workers share. */}}
{{- define "hourglass.worker" -}}
kind: worker
entry: services/worker/dist/main.js
grpc: 50060
ops: 9110
backends: [mongodb, rabbitmq]
{{- end -}}

{{/* The Job of one admin command. */}}
{{- define "hourglass.admin" -}}
kind: admin
entry: services/standalone/dist/admin/main.js
backends: [mongodb, rabbitmq]
{{- end -}}

{{/* Where the work of each role waits: its queues, and queries for how much there is and since when. Without its own query,
that is what is due and not published, and what is in the queues. */}}
{{- define "hourglass.backlogs" -}}
{{- $here := printf "namespace=%q" .Release.Namespace -}}
operation.run:
  queues: [operation.run, operation.run.large, operation.run.files]
  waiting: max(hourglass_jobs{kind="operation",status="ready",{{ $here }}})
  oldest: max(hourglass_oldest_waiting_seconds{kind="operation",{{ $here }}})
operation.sweep:
  queues: [operation.sweep]
insight.collect:
  queues: [insight.collect]
insight.analyse:
  queues: [insight.analyse]
  # Postings, by the batch of up to 32: only the next ones of each company are in batches, which are what is due.
  waiting: max(hourglass_postings_waiting{ {{- $here -}} }) / 32
  oldest: max(hourglass_postings_oldest_waiting_seconds{ {{- $here -}} })
insight.sweep:
  queues: [insight.sweep, insight.recheck]
export.run:
  queues: [export.run]
  waiting: max(hourglass_jobs{kind="export",status="ready",{{ $here }}})
export.sweep:
  queues: [export.sweep]
{{- end -}}

{{/* Groups of workers by name, each completed from workerDefaults. */}}
{{- define "hourglass.workers" -}}
{{- $groups := dict -}}
{{- $roles := list -}}
{{- range $name, $group := .Values.workers -}}
{{- if $group -}}
{{- $values := mergeOverwrite (deepCopy $.Values.workerDefaults) (deepCopy $group) -}}
{{- if and $values.autoscaling.enabled $values.keda.enabled -}}
{{- fail (printf "workers.%s: autoscaling and keda would fight over its replicas; enable one of them" $name) -}}
{{- end -}}
{{- $_ := set $groups $name $values -}}
{{- $roles = concat $roles $values.roles -}}
{{- end -}}
{{- end -}}
{{- range $role := include "hourglass.backlogs" . | fromYaml | keys | sortAlpha -}}
{{- /* Values of a release from before the service name none of its roles: the first group of operation.run does its work. */ -}}
{{- $service := first (splitList "." $role) -}}
{{- $isNew := not (regexMatch (printf "(^|,)%s[.]" $service) (join "," $roles)) -}}
{{- $taker := dict -}}
{{- range $name, $values := $groups -}}
{{- if and $isNew (not $taker) (has "operation.run" $values.roles) -}}
{{- $taker = $values -}}
{{- end -}}
{{- end -}}
{{- if $taker -}}
{{- $_ := set $taker "roles" (append $taker.roles $role) -}}
{{- else if not (has $role $roles) -}}
{{- fail (printf "workers: no group has the role %s, so nobody would do that work" $role) -}}
{{- end -}}
{{- end -}}
{{- toYaml $groups -}}
{{- end -}}

{{/* All components: {component: {part, values}}. */}}
{{- define "hourglass.components" -}}
{{- $components := dict -}}
{{- range $name, $part := include "hourglass.parts" . | fromYaml -}}
{{- $_ := set $components $name (dict "part" $part "values" (index $.Values $name)) -}}
{{- end -}}
{{- $part := include "hourglass.worker" . | fromYaml -}}
{{- range $name, $values := include "hourglass.workers" . | fromYaml -}}
{{- $_ := set $components (printf "worker-%s" $name) (dict "part" $part "values" $values) -}}
{{- end -}}
{{- toYaml $components -}}
{{- end -}}

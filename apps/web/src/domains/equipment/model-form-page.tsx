import { createModel, getModel, updateModel } from '@zhugong/contract/equipment/model-endpoints'
import { Button } from 'antd'
import { useCall } from '#kit/call.ts'
import { useFamily } from '#kit/family.ts'
import { MakeOrChange } from '#kit/make-or-change.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import './equipment.css'
import { Fields } from './model-fields.tsx'
import { TrialCard } from './model-trial.tsx'

/** Describes what a model measures, so that its devices need no further setup (`?id=`, or `?versionOf=` for the next version). */
export default function ModelFormPage() {
  const query = usePageQuery()
  const id = query.get('id') ?? ''
  const versionOf = query.get('versionOf') ?? ''
  const source = id || versionOf
  const go = useGo()
  const page = usePage()
  const known = useCall(getModel, { params: { id: source } }, { enabled: source !== '', staleMs: 0 })
  // Wait for the family: its metrics decide the length of the tables, and the form would grow while being edited.
  const kind = useFamily(known.data?.family)
  const model = kind.isPending ? undefined : known.data
  const initial = model
    ? {
        brandId: model.brandId,
        family: model.family,
        name: model.name,
        protocols: model.protocols,
        metrics: model.metrics.map(({ key, precision, min, max, alias }) => ({ key, precision, min, max, alias })),
        registers: model.registers,
        alarmCodes: model.alarmCodes.map(({ code, alarmKey }) => ({ code, alarmKey })),
        params: model.params,
        photo: model.photo ?? undefined,
        docs: model.docs,
        remark: model.remark ?? '',
      }
    : { brandId: query.get('brandId') ?? undefined, protocols: ['mqtt'], metrics: [], registers: [], alarmCodes: [], params: {} }
  const fields = (
    <Fields locked={source !== ''} familyName={model?.familyName} brand={model && { id: model.brandId, name: model.brandName }} />
  )
  return (
    <MakeOrChange
      id={id}
      make={{
        title: versionOf ? '新版本' : '新增型号',
        remark: model && `由 ${model.brandName} ${model.name} V${model.modelVersion} 复制`,
        call: createModel,
        initial: versionOf && !model ? undefined : { ...initial, versionOf: versionOf || undefined },
        success: ({ modelVersion }) => `已保存 V${modelVersion}`,
        onDone: (made) => page.leave(hrefOf('/model/details', { id: made.id })),
      }}
      change={{
        title: '编辑型号',
        remark: model && `${model.brandName} ${model.name} V${model.modelVersion}，${model.devices} 台设备在用`,
        call: updateModel,
        initial: model && { ...initial, version: model.version },
        input: (body) => ({ params: { id }, body }),
        onDone: () => page.leave(hrefOf('/model/details', { id })),
      }}
      aside={<TrialCard />}
      barActions={
        id && (
          <Button className="zg-h-32" onClick={() => go('/model/edit', { versionOf: id }, { replace: true })}>
            改为新版本
          </Button>
        )
      }
    >
      {fields}
    </MakeOrChange>
  )
}

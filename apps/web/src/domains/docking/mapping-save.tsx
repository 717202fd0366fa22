import { changeMapping, type MappedField, type Mapping, weighMapping } from '@zhugong/contract/docking/mapping'
import { type ObjectType, objectOf } from '@zhugong/contract/docking/standard'
import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'

interface AddProps {
  sources: Mapping['sources']
  fields: readonly MappedField[]
  onAdd: (field: MappedField) => void
  onClose: () => void
}
/** Adds a target field: its name on the other platform, and the source of its value. */
export function AddField({ sources, fields, onAdd, onClose }: AddProps) {
  const [upper, setUpper] = useState('')
  const [source, setSource] = useState<string>()
  const [label, setLabel] = useState('')
  const [fixed, setFixed] = useState('')
  const [required, setRequired] = useState(false)
  const known = sources.find((one) => one.source === source)
  const named = label.trim() || known?.label || ''
  const fault = !/^[A-Za-z]\w*$/.test(upper)
    ? '上级字段以字母开头，只能用字母、数字和下划线'
    : fields.some((one) => one.upper === upper)
      ? `上级字段 ${upper} 已经在映射中`
      : !known && !fixed.trim()
        ? '请选择本平台字段，或填写固定值'
        : !named
          ? '请填写名称'
          : undefined
  const add = () => {
    onAdd({
      upper,
      label: named,
      source: known?.source ?? '',
      fixed: fixed.trim(),
      required,
      dict: known?.dict ?? '',
      personal: known?.personal ?? false,
      codes: {},
    })
    onClose()
  }
  return (
    <PageModal open title="添加映射字段" okText="添加" okButtonProps={{ disabled: fault !== undefined }} onCancel={onClose} onOk={add}>
      <div className="dock-form">
        <label htmlFor="dock-upper">上级字段</label>
        <Input id="dock-upper" maxLength={60} value={upper} onChange={(event) => setUpper(event.target.value.trim())} />
        <label htmlFor="dock-source">本平台字段</label>
        <Choice
          id="dock-source"
          value={source}
          onChange={setSource}
          placeholder="不选则使用固定值"
          options={sources.map((one) => ({ value: one.source, label: `${one.label} ${one.source}` }))}
        />
        <label htmlFor="dock-label">名称</label>
        <Input id="dock-label" maxLength={30} placeholder={known?.label} value={label} onChange={(event) => setLabel(event.target.value)} />
        <label htmlFor="dock-fixed">固定值</label>
        <Input
          id="dock-fixed"
          maxLength={100}
          placeholder={known ? '填写后不再取本平台字段' : ''}
          value={fixed}
          onChange={(event) => setFixed(event.target.value)}
        />
        <span />
        <Checkbox checked={required} onChange={(event) => setRequired(event.target.checked)}>
          必填：为空时不发出
        </Checkbox>
      </div>
      {fault && (upper || source || fixed) && <Notice tone="warning">{fault}</Notice>}
    </PageModal>
  )
}

interface SaveProps {
  platformId: string
  objectType: ObjectType
  before: Mapping
  fields: MappedField[]
  /** Receives validation errors by field, if the server names fields. */
  onWrong: (wrong: Readonly<Record<string, string>>) => void
  onClose: () => void
}
/** Shows the effect of the change on queued rows before saving. */
export function SaveMapping({ platformId, objectType, before, fields, onWrong, onClose }: SaveProps) {
  const input = { params: { objectType }, body: { platformId, fields } }
  const { data, error, refetch } = useCall(weighMapping, input, { quiet: true, staleMs: 0 })
  const save = useAct(changeMapping, {
    success: ({ version, again }) => `已保存为第 ${version} 版，从下一条起生效${again > 0 ? `，${again} 条已重新排队` : ''}`,
    onDone: onClose,
    onFail: ({ fields: wrong }) => {
      onWrong(wrong)
      if (Object.keys(wrong).length > 0) onClose()
    },
  })
  const changes = differencesOf(before.fields, fields)
  return (
    <PageModal
      open
      title={`保存${objectOf(objectType).name}映射`}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button
            type="primary"
            danger={(data?.stopped.length ?? 0) > 0}
            disabled={!data}
            loading={save.running}
            onClick={() =>
              void save.run({ params: { objectType }, body: { platformId, version: before.version, fields } }, { fieldsShown: true })
            }
          >
            保存
          </Button>
        </>
      }
    >
      <ul className="dock-changes">
        {changes.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <DetailSkeleton />
      ) : (
        <>
          <Notice tone="info">
            {data.waiting} 条待上传、{data.failed} 条失败的数据将按新映射转换
            {data.packed > 0 && `；${data.packed} 条已经打包，仍按原映射发出`}
            {data.again > 0 && `；${data.again} 条因映射未发出的数据保存后自动重推`}。已经上传的数据不变
          </Notice>
          {data.stopped.map(({ text, count }) => (
            <Notice key={text} tone="danger">
              {count} 条现在可以发出的数据将不能发出：{text}
            </Notice>
          ))}
          {data.freed > 0 && <Notice tone="fine">{data.freed} 条现在不能发出的数据将可以发出</Notice>}
          {data.checked < data.waiting + data.failed && <p className="zg-2">以最近 {data.checked} 条数据试算</p>}
        </>
      )}
    </PageModal>
  )
}

function differencesOf(before: Mapping['fields'], after: readonly MappedField[]): string[] {
  const of = (list: readonly MappedField[]) => new Map(list.map((one) => [`${one.source} ${one.label}`, one]))
  const [was, is] = [of(before), of(after)]
  const lines: string[] = []
  for (const [key, { label, upper }] of was) if (!is.has(key)) lines.push(`移除：${label} → ${upper}`)
  for (const [key, one] of is) {
    const old = was.get(key)
    if (!old) lines.push(`添加：${one.label} → ${one.upper}${one.fixed ? `，固定值 ${one.fixed}` : ''}`)
    else {
      if (old.upper !== one.upper) lines.push(`${one.label}：上级字段 ${old.upper} 改为 ${one.upper}`)
      if (old.fixed !== one.fixed)
        lines.push(`${one.label}：固定值${old.fixed ? ` ${old.fixed}` : ''}改为${one.fixed ? ` ${one.fixed}` : '不使用'}`)
      if (old.required !== one.required) lines.push(`${one.label}：${one.required ? '改为必填' : '改为选填'}`)
      if (JSON.stringify(old.codes) !== JSON.stringify(one.codes)) lines.push(`${one.label}：字典对照有修改`)
    }
  }
  return lines
}

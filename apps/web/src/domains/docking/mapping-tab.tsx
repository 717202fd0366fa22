import { changeMapping, getMapping, listPlatforms, type MappedField, type Mapping, tryMapping } from '@zhugong/contract/docking/endpoints'
import { type ObjectType, objectOf, objectTypes } from '@zhugong/contract/docking/standard'
import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { TabProps } from './docking-page.tsx'
import { objectOptions } from './docking-words.ts'

/** Which of our fields becomes which of theirs, and what has no translation. */
export function MappingTab({ tabs }: TabProps) {
  const go = useGo()
  const page = usePage()
  const query = usePageQuery()
  const platforms = useCall(listPlatforms, { query: {} }, { quiet: true })
  const platformId = query.get('platformId') ?? platforms.data?.list[0]?.id
  const objectType = objectTypes.find((type) => type === query.get('object')) ?? 'attendanceRecord'
  const open = (next: Record<string, string | undefined>) =>
    go(page.path, { tab: 'mapping', platformId, object: objectType, ...next }, { replace: true })
  return (
    <PageShell actions={tabs}>
      <div className="dock-page">
        <div className="dock-acts">
          <Choice
            aria-label="对接平台"
            clear={false}
            value={platformId}
            loading={platforms.isPending}
            onChange={(id) => open({ platformId: id })}
            options={(platforms.data?.list ?? []).map((one) => ({ value: one.id, label: one.name }))}
          />
          <Choice aria-label="对象" clear={false} value={objectType} onChange={(object) => open({ object })} options={objectOptions} />
        </div>
        {platforms.error ? (
          <ErrorPanel error={platforms.error} retry={platforms.refetch} />
        ) : platformId ? (
          <OneMapping key={`${platformId} ${objectType}`} platformId={platformId} objectType={objectType} />
        ) : platforms.isPending ? (
          <DetailSkeleton />
        ) : (
          <Empty text="没有对接平台" hint="登记连接后才有字段映射" />
        )}
      </div>
    </PageShell>
  )
}

function OneMapping({ platformId, objectType }: { platformId: string; objectType: ObjectType }) {
  const { data, error, refetch } = useCall(getMapping, { params: { objectType }, query: { platformId } }, { quiet: true, staleMs: 0 })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  return data ? <Editor key={data.version} mapping={data} platformId={platformId} objectType={objectType} /> : <DetailSkeleton />
}

const plainOf = ({ translation: _, ...field }: Mapping['fields'][number]): MappedField => field

function Editor({ mapping, platformId, objectType }: { mapping: Mapping; platformId: string; objectType: ObjectType }) {
  const [fields, setFields] = useState<MappedField[]>(() => mapping.fields.map(plainOf))
  const [translating, setTranslating] = useState<number>()
  const [trying, setTrying] = useState(false)
  const save = useAct(changeMapping, { success: ({ version }) => `已保存为第 ${version} 版，从下一条起生效` })
  const set = (i: number, change: Partial<MappedField>) =>
    setFields(fields.map((field, at) => (at === i ? { ...field, ...change } : field)))
  const { name, upper } = objectOf(objectType)
  const isChanged = JSON.stringify(fields) !== JSON.stringify(mapping.fields.map(plainOf))
  const { editable } = mapping
  return (
    <Card
      title={`${name} ${upper}`}
      remark={
        mapping.version === 0
          ? '出厂映射，未修改过'
          : `第 ${mapping.version} 版，${mapping.updateBy ?? ''} 于 ${mapping.updateTime?.slice(0, 16) ?? ''} 保存`
      }
      actions={
        editable && (
          <>
            <Button onClick={() => setTrying(true)}>试转换</Button>
            <Button
              type="primary"
              disabled={!isChanged}
              loading={save.running}
              onClick={() => void save.run({ params: { objectType }, body: { platformId, version: mapping.version, fields } })}
            >
              保存为新版本
            </Button>
          </>
        )
      }
    >
      {mapping.unmapped.length > 0 && (
        <Notice tone="warning">
          {mapping.unmapped.length} 个未映射码：{mapping.unmapped.map((one) => `${one.field} ${one.code} ${one.name}`).join('、')}
          。用到这些码的数据不会发出，请补充对照
        </Notice>
      )}
      <div className="dock-scroll">
        <table className="dock-table">
          <thead>
            <tr>
              <th>本平台字段</th>
              <th>上级字段</th>
              <th>固定值</th>
              <th>必填</th>
              <th>字典对照</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field, i) => {
              const unmapped = mapping.unmapped.filter((one) => one.field === field.label).length
              return (
                <tr key={i}>
                  <td>
                    {field.label} <code>{field.source}</code>
                  </td>
                  <td>
                    {editable ? (
                      <Input
                        aria-label={`${field.label}的上级字段`}
                        value={field.upper}
                        onChange={(event) => set(i, { upper: event.target.value })}
                      />
                    ) : (
                      <code>{field.upper}</code>
                    )}
                  </td>
                  <td>
                    {editable ? (
                      <Input
                        aria-label={`${field.label}的固定值`}
                        value={field.fixed}
                        onChange={(event) => set(i, { fixed: event.target.value })}
                      />
                    ) : (
                      field.fixed || '--'
                    )}
                  </td>
                  <td>
                    <Checkbox
                      aria-label={`${field.label}必填`}
                      disabled={!editable}
                      checked={field.required}
                      onChange={(event) => set(i, { required: event.target.checked })}
                    />
                  </td>
                  <td>
                    {field.dict ? (
                      <button type="button" className="zg-bare zg-link" onClick={() => setTranslating(i)}>
                        {field.dict}
                        {unmapped > 0 && <Tag tone="warning">{unmapped} 个未映射</Tag>}
                      </button>
                    ) : (
                      '--'
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {translating !== undefined && (
        <Translation
          field={fields[translating]}
          rows={mapping.fields[translating]?.translation ?? []}
          editable={editable}
          onChange={(codes) => set(translating, { codes })}
          onClose={() => setTranslating(undefined)}
        />
      )}
      {trying && <TryOut platformId={platformId} objectType={objectType} fields={fields} onClose={() => setTrying(false)} />}
    </Card>
  )
}

interface TranslationProps {
  field: MappedField | undefined
  rows: Mapping['fields'][number]['translation']
  editable: boolean
  onChange: (codes: Record<string, string>) => void
  onClose: () => void
}
/** Our codes, theirs beside them; one of one's own goes before the delivered. */
function Translation({ field, rows, editable, onChange, onClose }: TranslationProps) {
  if (!field) return null
  const put = (code: string, upper: string) => {
    const { [code]: _, ...others } = field.codes
    onChange(upper ? { ...others, [code]: upper } : others)
  }
  return (
    <PageDrawer open title={`${field.label} 字典对照`} onClose={onClose}>
      <table className="dock-table">
        <thead>
          <tr>
            <th>本平台码</th>
            <th>名称</th>
            <th>上级码</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ code, name, upper }) => (
            <tr key={code}>
              <td>{code}</td>
              <td>{name}</td>
              <td>
                {editable ? (
                  <Input
                    aria-label={`${name}的上级码`}
                    placeholder={upper ?? '未映射'}
                    value={field.codes[code] ?? ''}
                    status={upper === null && !field.codes[code] ? 'warning' : ''}
                    onChange={(event) => put(code, event.target.value.trim())}
                  />
                ) : (
                  (upper ?? <Tag tone="warning">未映射</Tag>)
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </PageDrawer>
  )
}

/** A real row, before and after; nothing is sent. */
function TryOut({
  platformId,
  objectType,
  fields,
  onClose,
}: {
  platformId: string
  objectType: ObjectType
  fields: MappedField[]
  onClose: () => void
}) {
  const { data, error, refetch } = useCall(
    tryMapping,
    { params: { objectType }, body: { platformId, fields } },
    { quiet: true, staleMs: 0 },
  )
  return (
    <PageDrawer open size={760} title={`试转换${data?.bizName ? `：${data.bizName}` : ''}`} onClose={onClose}>
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <DetailSkeleton />
      ) : data.bizName === null ? (
        <Empty text="还没有这类数据" hint="有一条进入发送队列后即可试转换" />
      ) : (
        <table className="dock-table">
          <thead>
            <tr>
              <th>字段</th>
              <th>本平台</th>
              <th>上级字段</th>
              <th>转换后</th>
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row) => (
              <tr key={row.upper}>
                <td>{row.label}</td>
                <td>{row.ours || '--'}</td>
                <td>
                  <code>{row.upper}</code>
                </td>
                <td>{row.problem ? <Tag tone="danger">{row.problem}</Tag> : row.theirs || '--'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </PageDrawer>
  )
}

import { listPlatforms } from '@zhugong/contract/docking/connections'
import { getMapping, type MappedField, type Mapping } from '@zhugong/contract/docking/mapping'
import { type ObjectType, objectOf, objectTypes } from '@zhugong/contract/docking/standard'
import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { objectOptions } from './docking-words.ts'
import { Translation, TryOut } from './mapping-drawers.tsx'
import { AddField, SaveMapping } from './mapping-save.tsx'
import type { TabProps } from './tab-props.ts'

/** Mapping of our fields to those of the other platform, and dictionary codes without a translation. */
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
  const [open, setOpen] = useState<'try' | 'add' | 'save'>()
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const put = (next: MappedField[]) => {
    setWrong({})
    setFields(next)
  }
  const set = (i: number, change: Partial<MappedField>) => put(fields.map((field, at) => (at === i ? { ...field, ...change } : field)))
  const { name, upper } = objectOf(objectType)
  const isChanged = JSON.stringify(fields) !== JSON.stringify(mapping.fields.map(plainOf))
  const { editable } = mapping
  const demanded = new Set(mapping.demanded)
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
            <Button onClick={() => setOpen('add')}>添加字段</Button>
            <Button onClick={() => setOpen('try')}>试转换</Button>
            {isChanged && <Button onClick={() => put(mapping.fields.map(plainOf))}>撤销修改</Button>}
            <Button type="primary" disabled={!isChanged} onClick={() => setOpen('save')}>
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
      {wrong.fields && <Notice tone="danger">{wrong.fields}</Notice>}
      <div className="dock-scroll">
        <table className="dock-table">
          <thead>
            <tr>
              <th>本平台字段</th>
              <th>上级字段</th>
              <th>固定值</th>
              <th>必填</th>
              <th>字典对照</th>
              {editable && <th>操作</th>}
            </tr>
          </thead>
          <tbody>
            {fields.map((field, i) => {
              const unmapped = mapping.unmapped.filter((one) => one.field === field.label).length
              const isDemanded = demanded.has(field.source)
              const fault =
                wrong[`fields.${i}.upper`] ?? wrong[`fields.${i}.source`] ?? wrong[`fields.${i}.fixed`] ?? wrong[`fields.${i}.required`]
              return (
                <tr key={i}>
                  <td>
                    {field.label} {field.source ? <code>{field.source}</code> : <span className="zg-2">固定值</span>}{' '}
                    {isDemanded && <Tag icon={false}>标准必报</Tag>}
                    {fault && <div className="tone-danger">{fault}</div>}
                  </td>
                  <td>
                    {editable ? (
                      <Input
                        aria-label={`${field.label}的上级字段`}
                        status={fault ? 'error' : ''}
                        maxLength={60}
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
                        maxLength={100}
                        placeholder={field.source ? '取本平台字段' : '必填'}
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
                      disabled={!editable || (isDemanded && field.required)}
                      checked={field.required}
                      onChange={(event) => set(i, { required: event.target.checked })}
                    />
                  </td>
                  <td>
                    {field.dict && translationOf(mapping, field) ? (
                      <button type="button" className="zg-bare zg-link" onClick={() => setTranslating(i)}>
                        {field.dict}
                        {unmapped > 0 && <Tag tone="warning">{unmapped} 个未映射</Tag>}
                      </button>
                    ) : field.dict ? (
                      <span className="zg-2">保存后可对照</span>
                    ) : (
                      '--'
                    )}
                  </td>
                  {editable && (
                    <td>
                      {isDemanded ? (
                        <span className="zg-2" title="数据标准要求上报，不能移除">
                          已锁定
                        </span>
                      ) : (
                        <button type="button" className="zg-bare zg-link" onClick={() => put(fields.filter((_, at) => at !== i))}>
                          移除
                        </button>
                      )}
                    </td>
                  )}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {translating !== undefined && (
        <Translation
          field={fields[translating]}
          rows={(fields[translating] && translationOf(mapping, fields[translating])) ?? []}
          editable={editable}
          onChange={(codes) => set(translating, { codes })}
          onClose={() => setTranslating(undefined)}
        />
      )}
      {open === 'try' && <TryOut platformId={platformId} objectType={objectType} fields={fields} onClose={() => setOpen(undefined)} />}
      {open === 'add' && (
        <AddField sources={mapping.sources} fields={fields} onAdd={(field) => put([...fields, field])} onClose={() => setOpen(undefined)} />
      )}
      {open === 'save' && (
        <SaveMapping
          platformId={platformId}
          objectType={objectType}
          before={mapping}
          fields={fields}
          onWrong={setWrong}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Card>
  )
}

/** Looks up by source and dictionary, not by index, because rows are added and removed. */
const translationOf = (mapping: Mapping, { source, dict }: MappedField) =>
  mapping.fields.find((one) => one.source === source && one.dict === dict)?.translation

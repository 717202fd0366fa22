import { type MappedField, type Mapping, tryMapping } from '@zhugong/contract/docking/mapping'
import type { ObjectType } from '@zhugong/contract/docking/standard'
import { Input } from 'antd'
import { useCall } from '#kit/call.ts'
import { DetailSkeleton, Empty, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { PageDrawer } from '#kit/overlay.tsx'

interface TranslationProps {
  field: MappedField | undefined
  rows: Mapping['fields'][number]['translation']
  editable: boolean
  onChange: (codes: Record<string, string>) => void
  onClose: () => void
}
/** Dictionary codes of this platform with the codes of the other; custom codes take precedence over the built-in ones. */
export function Translation({ field, rows, editable, onChange, onClose }: TranslationProps) {
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

/** Shows a real row before and after mapping; nothing is sent. */
export function TryOut({
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

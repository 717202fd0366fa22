import { areaTree } from '@zhugong/contract/settings/endpoints'
import { type AreaRow, changeOwnArea, listOwnAreas } from '@zhugong/contract/settings/own-areas'
import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { refresh, useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, usePageParam } from '#kit/page.tsx'
import { ChangeLog } from './change-log.tsx'

const { Field } = formOf(changeOwnArea)

const hrefTo = (area: string) => hrefOf('/system/set', { part: 'areas', area })
const changed = () => refresh(listOwnAreas, areaTree)

/** Area divisions added by the group, and those hidden from selection. */
export function AreaPart({ choice }: { choice: ReactNode }) {
  const area = usePageParam('area')
  const { data, error, refetch } = useCall(
    listOwnAreas,
    { query: { parent: area || undefined } },
    { quiet: true, staleMs: 0, keepPrevious: true },
  )
  const [adding, setAdding] = useState(false)
  const act = useAct(changeOwnArea, { success: '已保存，新开的选择框按此显示', onDone: changed })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const stop = async (row: AreaRow) => {
    const reason = await askReason(`停用 ${row.name}`, '停用原因')
    if (reason) await act.run({ body: { action: 'stop', code: row.code, reason } })
  }
  return (
    <PageShell title="系统设置" remark="停用的区划不再供选择，已登记的项目不变" actions={choice}>
      <Card
        title={data.parent ? `${data.parent.name}的下级区划` : '省级区划'}
        remark={`${data.list.length} 个，停用 ${data.list.filter((row) => row.off).length} 个`}
        actions={
          data.mayAdd && (
            <Button type="primary" onClick={() => setAdding(true)}>
              增加区划
            </Button>
          )
        }
        flush
      >
        <nav className="set-path" aria-label="上级区划">
          {data.path.map(({ code, name }) => (
            <a key={code} href={hrefTo(code)} className="zg-link">
              {name}
            </a>
          ))}
        </nav>
        {data.list.length === 0 ? (
          <Empty small text="没有下级区划" />
        ) : (
          <div className="set-scroll">
            <table className="set-table">
              <thead>
                <tr>
                  {['代码', '名称', '来源', '项目', '状态', '操作'].map((head) => (
                    <th key={head} scope="col">
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.list.map((row) => (
                  <tr key={row.code}>
                    <td>{row.code}</td>
                    <td>
                      {row.hasChildren ? (
                        <a href={hrefTo(row.code)} className="zg-link">
                          {row.name}
                        </a>
                      ) : (
                        row.name
                      )}
                    </td>
                    <td>{row.addedBy ? `${row.addedBy}增加` : '国家区划'}</td>
                    <td className="num">{row.projects}</td>
                    <td>
                      <Tag tone={row.off ? 'neutral' : 'fine'} icon={false}>
                        {row.off ? '已停用' : '可选'}
                      </Tag>
                    </td>
                    <td>
                      {row.mine && (
                        <Button
                          type="link"
                          size="small"
                          danger={!row.off}
                          onClick={() => void (row.off ? act.run({ body: { action: 'offer', code: row.code } }) : stop(row))}
                        >
                          {row.off ? '启用' : '停用'}
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
      <ChangeLog history={data.history} />
      {adding && data.parent && (
        <FormDrawer
          open
          narrow
          width={420}
          act={act}
          title="增加区划"
          remark={data.parent.name}
          initial={{ action: 'add', parent: data.parent.code }}
          input={(body) => ({ body })}
          onClose={() => setAdding(false)}
        >
          <Field name="code" label="区划代码" help={`以 ${data.parent.code.replace(/(00){1,2}$/, '')} 开头的六位数字`} required>
            <Input maxLength={6} />
          </Field>
          <Field name="name" label="名称" required>
            <Input placeholder="如 经济技术开发区" />
          </Field>
        </FormDrawer>
      )}
    </PageShell>
  )
}

import { type TemplateUse, templateTree } from '@zhugong/contract/screens/endpoints'
import { screenLevelNames } from '@zhugong/contract/screens/model'
import { Table } from 'antd'
import { useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel, Notice, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { ListShell } from '#kit/list-shell.tsx'

const sources = { own: '自选或分配', inherited: '继承', default: '平台标准' } as const
const kindOf = (type: number) => (type === 0 ? '平台' : (screenLevelNames[type] ?? ''))
const hasChildren = (use: TemplateUse): object =>
  use.children.length ? { ...use, children: use.children.map(hasChildren) } : { ...use, children: undefined }

/** Which template each group uses, and from where it is inherited. */
export function TemplateUses({ above }: { above: React.ReactNode }) {
  const { data, error, refetch } = useCall(templateTree, {}, { quiet: true })
  const walls = (uses: readonly TemplateUse[]): number => uses.reduce((n, one) => n + one.walls + walls(one.children), 0)
  return (
    <ListShell
      above={
        <>
          {above}
          {data && data.length > 0 && <Notice tone="info">此刻有 {walls(data)} 块墙屏在运行</Notice>}
        </>
      }
    >
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <TableSkeleton />
      ) : data.length === 0 ? (
        <Empty text="没有机构" />
      ) : (
        <Card className="screen-uses" scrolls flush>
          <Table<TemplateUse>
            size="small"
            rowKey="id"
            pagination={false}
            defaultExpandAllRows={data.length < 8}
            dataSource={data.map(hasChildren) as TemplateUse[]}
            columns={[
              { key: 'name', title: '机构', render: (_, use) => use.name },
              { key: 'type', title: '类型', width: 80, render: (_, use) => kindOf(use.type) },
              {
                key: 'template',
                title: '在用大屏',
                width: 220,
                render: (_, use) => use.templateName ?? <span className="zg-2">没有可用的大屏</span>,
              },
              {
                key: 'source',
                title: '来源',
                width: 240,
                render: (_, use) =>
                  use.from ? `继承自${use.from}` : <span className={use.source === 'default' ? 'zg-2' : ''}>{sources[use.source]}</span>,
              },
              {
                key: 'version',
                title: '版本',
                width: 90,
                align: 'right',
                render: (_, use) => (use.version ? `第 ${use.version} 版` : '--'),
              },
              {
                key: 'walls',
                title: '运行中墙屏',
                width: 110,
                align: 'right',
                render: (_, use) => (use.walls ? <Tag tone="fine">{use.walls} 块</Tag> : 0),
              },
            ]}
          />
        </Card>
      )}
    </ListShell>
  )
}

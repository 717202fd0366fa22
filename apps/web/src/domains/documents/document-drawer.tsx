import { changeDocument, type DocumentRow, getDocument } from '@zhugong/contract/documents/calls'
import { Table } from 'antd'
import { useAct, useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel, Pairs, Tag } from '#kit/feedback.tsx'
import { fileSize, thousands } from '#kit/format.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { SecurityTag } from './document-words.tsx'
import './documents.css'

interface DrawerProps {
  row: Pick<DocumentRow, 'id' | 'name'>
  onOpen: (id: string, what: 'view' | 'download', no: number) => void
  onClose: () => void
}
const query = { projectCode: '*' }

/** Versions, to whom it is open, and who looked at it. */
export function DocumentDrawer({ row, onOpen, onClose }: DrawerProps) {
  const read = useCall(getDocument, { params: { id: row.id }, query }, { quiet: true })
  const change = useAct(changeDocument, { success: '已设为当前版本' })
  const d = read.data
  return (
    <PageDrawer open title={row.name} onClose={onClose}>
      {read.error ? (
        <ErrorPanel error={read.error} retry={read.refetch} />
      ) : !d ? (
        <DetailSkeleton />
      ) : (
        <div className="zg-stack-12">
          <Pairs
            items={[
              { label: '位置', value: `${d.projectName ?? '我的文档'}${d.path ? ` / ${d.path.replaceAll('/', ' / ')}` : ''}`, wide: true },
              { label: '密级', value: <SecurityTag row={d} /> },
              { label: '类别', value: d.categoryName },
              { label: '上传人', value: d.ownerName },
              { label: '创建时间', value: d.createTime },
              { label: '更新时间', value: d.updateTime },
              { label: '状态', value: d.dataStateName },
              { label: '查看与下载', value: `${thousands(d.lookCount)} 次` },
            ]}
          />
          {!d.isDir && (
            <>
              <h3>版本</h3>
              <Table
                size="small"
                rowKey="no"
                pagination={false}
                scroll={{ x: 560 }}
                dataSource={d.versions}
                columns={[
                  {
                    title: '版本',
                    width: 130,
                    render: (_, v) => (
                      <>
                        第 {v.no} 版 {v.current && <Tag tone="fine">当前</Tag>}
                        {v.fromNo !== null && <span className="zg-2">取自第 {v.fromNo} 版</span>}
                      </>
                    ),
                  },
                  { title: '大小', width: 90, align: 'right', render: (_, v) => fileSize(v.size) },
                  { title: '上传人', width: 90, dataIndex: 'byName' },
                  { title: '时间', width: 150, dataIndex: 'at' },
                  {
                    title: '操作',
                    width: 170,
                    render: (_, v) => (
                      <span className="zg-cell-actions">
                        <button type="button" className="zg-bare zg-link" onClick={() => onOpen(d.id, 'view', v.no)}>
                          查看
                        </button>
                        {d.actions.includes('download') && (
                          <button type="button" className="zg-bare zg-link" onClick={() => onOpen(d.id, 'download', v.no)}>
                            下载
                          </button>
                        )}
                        {!v.current && d.actions.includes('current') && (
                          <button
                            type="button"
                            className="zg-bare zg-link"
                            onClick={() =>
                              void change.run({ params: { id: d.id }, query, body: { action: 'current', version: d.version, no: v.no } })
                            }
                          >
                            设为当前
                          </button>
                        )}
                      </span>
                    ),
                  },
                ]}
              />
            </>
          )}
          <h3>共享</h3>
          {d.grants.length === 0 ? (
            <p className="zg-2">与所在目录相同</p>
          ) : (
            <ul className="doc-trail">
              {d.grants.map((one) => (
                <li key={`${one.kind} ${one.id}`}>
                  {one.kind === 'role' ? `角色 ${one.name}` : one.name}（{one.levelName}）
                </li>
              ))}
            </ul>
          )}
          {d.looks.length > 0 && (
            <>
              <h3>最近查看</h3>
              <Table
                size="small"
                rowKey="id"
                pagination={false}
                scroll={{ x: 480 }}
                dataSource={d.looks}
                columns={[
                  { title: '人员', width: 90, dataIndex: 'byName' },
                  { title: '单位', dataIndex: 'groupName' },
                  { title: '操作', width: 70, dataIndex: 'label' },
                  { title: '时间', width: 150, dataIndex: 'at' },
                ]}
              />
            </>
          )}
        </div>
      )}
    </PageDrawer>
  )
}

import { PlusOutlined } from '@ant-design/icons'
import { type DockingKey, issueKey, listKeys, rejectedList, revokeKey } from '@zhugong/contract/docking/below'
import { Button, Input, Typography } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Bone, Card, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { FieldGroup, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { thousands } from '#kit/format.ts'
import { AreaInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { objectOptions } from './docking-words.ts'
import type { TabProps } from './tab-props.ts'

const { Field } = formOf(issueKey)

/** Platforms that send data to this one: their keys, the amount received, and rejected rows. */
export function BelowTab({ tabs }: TabProps) {
  const [issuing, setIssuing] = useState(false)
  const [key, setKey] = useState<string>()
  const list = useListPage(rejectedList, { defaultSort: '-at', own: ['tab'] })
  const columns: ColumnOf<typeof rejectedList>[] = [
    { key: 'platformName', width: 190, locked: true, filter: 'text', value: (r) => r.platformName },
    { key: 'objectType', width: 116, filter: 'multi', options: objectOptions, value: (r) => r.objectName },
    { key: 'businessId', width: 200, value: (r) => r.businessId },
    { key: 'errorText', width: 260, locked: true, filter: 'text', value: (r) => r.errorText },
    { key: 'errorCode', width: 88, value: (r) => r.errorCode },
    { key: 'at', width: 160, sort: true, filter: 'datetime-range', value: (r) => r.at },
  ]
  return (
    <ListShell
      titleActions={
        <>
          <Can call={issueKey}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setIssuing(true)}>
              签发密钥
            </Button>
          </Can>
          {tabs}
        </>
      }
      above={<Keys />}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="id"
        unit="条拒收"
        name="docking-rejected"
        filterWords={{ keyId: { title: '下级平台', words: {} } }}
        search={{ key: 'errorText', placeholder: '拒收原因' }}
        emptyHint="下级平台用密钥向 /api/v1/open/docking/data 提交数据；没有通过校验的列在这里"
      />
      {issuing && (
        <Issue
          onClose={() => setIssuing(false)}
          onIssued={(made) => {
            setKey(made)
          }}
        />
      )}
      {key && (
        <PageModal
          open
          title="接入密钥"
          onCancel={() => setKey(undefined)}
          footer={<Button onClick={() => setKey(undefined)}>我已保存</Button>}
        >
          <Notice tone="warning">密钥只显示这一次，请立即交给下级平台保存</Notice>
          <Typography.Paragraph copyable code>
            {key}
          </Typography.Paragraph>
        </PageModal>
      )}
    </ListShell>
  )
}

function Issue({ onClose, onIssued }: { onClose: () => void; onIssued: (key: string) => void }) {
  const act = useAct(issueKey, { success: '已签发', onDone: ({ key }) => onIssued(key) })
  return (
    <FormDrawer open narrow act={act} title="签发下级接入密钥" saveText="签发" input={(body) => ({ body })} onClose={onClose}>
      <FieldGroup title="下级平台">
        <Field name="name" label="名称">
          <Input />
        </Field>
        <Field name="areaCode" label="行政区划">
          <AreaInput />
        </Field>
      </FieldGroup>
    </FormDrawer>
  )
}

function Keys() {
  const { data, error, refetch } = useCall(listKeys, { query: {} }, { quiet: true, staleMs: 0 })
  const revoke = useAct(revokeKey, { success: '已吊销' })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  const ask = (one: DockingKey) =>
    void revoke.afterRequesting(
      {
        thing: `吊销 ${one.name} 的密钥`,
        consequence: '该平台立即不能再提交数据；已收到的数据保留。不能恢复，需要时另行签发。',
        verb: '吊销',
        keep: '保留',
      },
      { params: { id: one.id }, body: { version: one.version } },
    )
  return (
    <Card title="下级平台" flush className="dock-keys">
      <table className="dock-table">
        <thead>
          <tr>
            <th>名称</th>
            <th>区划</th>
            <th>密钥</th>
            <th>已接收</th>
            <th>重复</th>
            <th>拒收</th>
            <th>最近提交</th>
            <th>状态</th>
            <th>操作</th>
          </tr>
        </thead>
        <tbody>
          {!data && (
            <tr>
              <td colSpan={9}>
                <Bone width={240} />
              </td>
            </tr>
          )}
          {data?.list.length === 0 && (
            <tr>
              <td colSpan={9} className="zg-2">
                还没有下级平台接入
              </td>
            </tr>
          )}
          {data?.list.map((one) => (
            <tr key={one.id}>
              <td>{one.name}</td>
              <td>{one.areaName}</td>
              <td>
                <code>{one.keyHint}</code>
              </td>
              <td>{thousands(one.received)}</td>
              <td>{thousands(one.duplicate)}</td>
              <td>
                {one.rejected > 0 ? (
                  <Link to={hrefOf('/RegulatoryDocking', { tab: 'below', keyId: one.id })}>{thousands(one.rejected)}</Link>
                ) : (
                  0
                )}
              </td>
              <td>{one.lastTime ?? '--'}</td>
              <td>
                <Tag tone={one.revokedTime ? 'neutral' : 'fine'}>{one.revokedTime ? '已吊销' : '有效'}</Tag>
              </td>
              <td>
                {!one.revokedTime && (
                  <Can call={revokeKey}>
                    <button type="button" className="zg-bare zg-link" onClick={() => ask(one)}>
                      吊销
                    </button>
                  </Can>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

import {
  createOpenApp,
  type OpenApp,
  openAppList,
  renewOpenAppSecret,
  switchOpenApp,
  updateOpenApp,
} from '@zhugong/contract/equipment/open-apps'
import { turned } from '@zhugong/contract/kit/enable'
import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { EnableTag, enableOptions, switchAction } from '#kit/enable.tsx'
import { Notice } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { LongText } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { PageModal } from '#kit/overlay.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Copyable } from './copyable.tsx'
import { FamilyChoices } from './library-parts.tsx'
import { ProjectChoice } from './project-choice.tsx'

const { Field } = formOf(createOpenApp, updateOpenApp, switchOpenApp, renewOpenAppSecret)

interface Made {
  id: string
  secret: string
}

/** Applications of other vendors that push readings over the open API: identity, permitted data, and whether data arrives. */
export function OpenApps({ tabs }: { tabs: ReactNode }) {
  const list = useListPage(openAppList, { scope: useProjectScope(), everyMs: 30_000, own: ['tab'] })
  const projectCode = useProjectCode()
  const [adding, setAdding] = useState(false)
  const [changed, setChanged] = useState<OpenApp>()
  const [made, setMade] = useState<Made>()
  const turn = useAct(switchOpenApp, { success: '已更改' })
  const renew = useAct(renewOpenAppSecret, { success: '密钥已更换', onDone: setMade })

  const flip = (row: OpenApp) =>
    switchAction({
      enable: row.status,
      needs: switchOpenApp,
      question: {
        thing: `停用开放应用 ${row.name}`,
        consequence: `立即拒绝它的每一次调用，经它上报的 ${row.devices} 台设备不再有新数据。`,
        verb: '停用',
        keep: '继续使用',
      },
      run: () => turn.run({ body: { id: row.id, status: turned(row.status) } }),
    })
  const askRenewal = (row: OpenApp) =>
    renew.afterRequesting(
      {
        thing: `更换 ${row.name} 的密钥`,
        consequence: '原密钥立即失效，对方换上新密钥之前的调用都被拒绝。',
        verb: '更换密钥',
        keep: '不更换',
      },
      { params: { id: row.id } },
    )
  const columns: ColumnOf<typeof openAppList>[] = [
    { key: 'name', width: 180, locked: true, sort: true, value: (row) => row.name },
    { key: 'id', width: 170, value: (row) => <code>{row.id}</code> },
    ...(projectCode === '*'
      ? [{ key: 'projectName', width: 150, sort: true, filter: 'text', value: (row: OpenApp) => row.projectName } as const]
      : []),
    { key: 'families', width: 180, value: (row) => row.familyNames.join('、') || '全部' },
    { key: 'devices', width: 80, align: 'right', value: (row) => row.devices },
    { key: 'lastData', width: 150, sort: true, value: (row) => row.lastData },
    { key: 'status', width: 84, sort: true, filter: 'single', options: enableOptions, value: (row) => <EnableTag enable={row.status} /> },
    { key: 'remark', width: 180, hidden: true, value: (row) => row.remark },
    { key: 'createBy', width: 90, hidden: true, value: (row) => row.createBy },
    { key: 'createTime', width: 150, sort: true, value: (row) => row.createTime },
  ]
  const add = (
    <Can call={createOpenApp}>
      <Button type="primary" onClick={() => setAdding(true)}>
        新增应用
      </Button>
    </Can>
  )
  return (
    <ListShell titleActions={tabs} actions={add}>
      <DataTable
        list={list}
        columns={columns}
        unit="个"
        search={{ key: 'name', placeholder: '应用名称或编号' }}
        actions={(row) => [
          { label: '修改', needs: updateOpenApp, onClick: () => setChanged(row) },
          { label: '更换密钥', needs: renewOpenAppSecret, onClick: () => askRenewal(row) },
          flip(row),
        ]}
        emptyHint="其他厂商的平台用应用编号和密钥签名后，经开放接口推送设备数据"
        emptyAction={add}
      />
      {adding && <NewApp projectCode={projectCode} onMade={setMade} onClose={() => setAdding(false)} />}
      {changed && <ChangedApp app={changed} onClose={() => setChanged(undefined)} />}
      <Credentials made={made} onClose={() => setMade(undefined)} />
    </ListShell>
  )
}

function NewApp({ projectCode, onMade, onClose }: { projectCode: string; onMade: (made: Made) => void; onClose: () => void }) {
  const isFixed = projectCode !== '*'
  return (
    <FormDrawer
      open
      narrow
      width={480}
      title="新增开放应用"
      act={useAct(createOpenApp, { success: '应用已新增', onDone: onMade })}
      schema={createOpenApp.schemas.body}
      initial={{ projectCode: isFixed ? projectCode : undefined, families: [] }}
      onClose={onClose}
    >
      <Field name="projectCode" label="项目" help="一个应用只为一个项目上报">
        <ProjectChoice isFixed={isFixed} />
      </Field>
      <Fields />
    </FormDrawer>
  )
}

function ChangedApp({ app, onClose }: { app: OpenApp; onClose: () => void }) {
  return (
    <FormDrawer
      open
      narrow
      width={480}
      title="修改开放应用"
      remark={app.projectName}
      act={useAct(updateOpenApp)}
      schema={updateOpenApp.schemas.body}
      initial={{ name: app.name, families: app.families, remark: app.remark ?? '', version: app.version }}
      input={(body: BodyOf<typeof updateOpenApp>) => ({ params: { id: app.id }, body })}
      onClose={onClose}
    >
      <Fields />
    </FormDrawer>
  )
}

function Fields() {
  return (
    <>
      <Field name="name" label="应用名称" help="对方平台或厂商的名称">
        <Input placeholder="如 某某塔机平台" />
      </Field>
      <Field name="families" label="设备类型" help="只能登记和上报这些类型的设备；不选为全部">
        <FamilyChoices />
      </Field>
      <Field name="remark" label="备注">
        <LongText />
      </Field>
    </>
  )
}

/** Number and secret of an application, shown once, with instructions. */
function Credentials({ made, onClose }: { made: Made | undefined; onClose: () => void }) {
  return (
    <PageModal
      open={made !== undefined}
      width={560}
      title="密钥只显示这一次"
      okText="已保存"
      cancelButtonProps={{ hidden: true }}
      onOk={onClose}
      onCancel={onClose}
    >
      {made && (
        <div className="zg-stack-12">
          <Copyable text={made.id} label="复制应用编号" />
          <Copyable text={made.secret} label="复制密钥" />
          <Notice tone="info">
            每次调用带请求头 X-App-Id、X-Timestamp（毫秒）、X-Nonce 和 X-Sign；签名的算法与各接口的字段见{' '}
            <a href="/api/openapi.json" target="_blank" rel="noreferrer">
              接口文档
            </a>
            。签名不符时，平台的应答里有它算签名用的原文，可逐字对照。
          </Notice>
        </div>
      )}
    </PageModal>
  )
}

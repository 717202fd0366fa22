import { CheckOutlined, ClockCircleOutlined, CloseCircleOutlined, EditOutlined } from '@ant-design/icons'
import { auditDriver, type DriverDetail, getDriver, passedDriver, rejectedDriver, sendDriver } from '@zhugong/contract/drivers/calls'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Course, type CourseLooks } from '#kit/course.tsx'
import { Card, Empty, Pairs, RiskBadge } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { LongText } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { Handling, type ItemAction, Lines, WorkItem } from '#kit/work-item.tsx'
import { AuditTag, paths, SendTag, ValidEnd } from './driver-words.tsx'
import './drivers.css'

const { Field } = formOf(auditDriver)

/** Is the licence real and fitting? Later: what has this person driven? */
export default function DriverDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择司机" hint="从司机管理打开一人">
          <Button onClick={() => go(paths.list)}>去司机管理</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Driver key={id} id={id} />
    </div>
  )
}

function Driver({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getDriver, { params: { id } }, { quiet: true, staleMs: 0 })
  const file = read.data
  return (
    <WorkItem
      title={file && `${file.name} ${file.driverTypeName}`}
      tags={file && <AuditTag row={file} />}
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '单位', value: file.corpName },
              { label: '证件号', value: file.idCardNumber },
              { label: '手机', value: file.phone ?? '--' },
              { label: '最近识别', value: file.lastRecognised?.slice(0, 16) ?? '--' },
            ]
          : []
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <Handle file={file} />
            <Course lines={file.timeline} looks={looks} bad={['reject', 'ended']} />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

const looks: CourseLooks = {
  change: { icon: <EditOutlined />, color: colors.warning },
  pass: { icon: <CheckOutlined />, color: colors.fine },
  reject: { icon: <CloseCircleOutlined />, color: colors.danger },
  ended: { icon: <ClockCircleOutlined />, color: colors.danger },
}

function Content({ file }: { file: DriverDetail }) {
  const days = [...Map.groupBy(file.days, (one) => one.day)]
  return (
    <>
      <Card title="人与证">
        <div className="driver-papers">
          {file.photo ? <Thumb src={file.photo} name={file.name} width={120} height={150} /> : <Empty small text="没有人脸照片" />}
          <div>
            <Papers files={file.certFiles} name="操作证" />
            <Pairs
              items={[
                { label: '操作证号', value: file.certNo },
                { label: '作业类别', value: file.certTypeName },
                { label: '有效期', value: <ValidEnd row={file} /> },
              ]}
            />
          </div>
        </div>
      </Card>
      <Lines title="核对" lines={file.checks} />
      <Card title="设备下发">
        <p className="driver-devices">
          {file.devices.map((one) => (
            <SendTag key={one.deviceId} one={one} />
          ))}
        </p>
      </Card>
      <Card title="驾驶记录" remark="近 14 天，按人脸识别">
        {days.length === 0 && <Empty small text="近 14 天没有识别到本人操作" />}
        <ul className="driver-days">
          {days.map(([day, some]) => (
            <li key={day}>
              <span className="zg-num">{day}</span>
              {some.map((one) => (
                <span key={one.deviceId}>
                  {one.deviceName} <b className="zg-num">{one.cycles}</b> 次
                </span>
              ))}
            </li>
          ))}
        </ul>
        {file.devices.map((one) => (
          <Link
            key={one.deviceId}
            className="zg-link driver-of"
            to={hrefOf(one.family === 'lifter' ? '/equipment/handling' : '/tower/handling', {
              deviceName: one.name,
              driverName: file.name,
            })}
          >
            {one.name}的工作循环
          </Link>
        ))}
      </Card>
      <Card title="操作期间的设备告警" remark="设备的事实，不是对人的评分">
        {file.alarms.length === 0 && <Empty small text="近 14 天操作期间没有告警" />}
        <ul className="driver-days">
          {file.alarms.map((one) => (
            <li key={one.id}>
              <RiskBadge level={one.level} word={false} />
              <span className="zg-num">{one.at.slice(5, 16)}</span>
              <span>{one.deviceName}</span>
              <span>{one.label}</span>
            </li>
          ))}
        </ul>
      </Card>
    </>
  )
}

function Handle({ file }: { file: DriverDetail }) {
  const go = useGo()
  const [open, setOpen] = useState<'1' | '2' | undefined>(undefined)
  const audit = useAct(auditDriver, { success: '已审核' })
  const send = useAct(sendDriver, { success: '已重新下发' })
  const { id, version } = file
  const may = (action: string) => file.actions.some((one) => one.action === action)
  const actions: ItemAction[] = [
    ...(may('pass')
      ? [
          { label: '通过', main: true, run: () => setOpen('1') },
          { label: '驳回', danger: true, run: () => setOpen('2') },
        ]
      : []),
    ...(may('send') ? [{ label: '重新下发', run: () => send.run({ params: { id } }) }] : []),
    ...(may('change') ? [{ label: '修改', run: () => go(paths.form, { id }) }] : []),
  ]
  return (
    <>
      <Handling remark={file.auditStatusName} actions={actions} busy={audit.running || send.running} none={waits[file.auditStatus] ?? ''} />
      {open && (
        <FormDrawer
          key={open}
          act={audit}
          open
          narrow
          title={open === passedDriver ? '通过' : '驳回'}
          remark={file.name}
          onClose={() => setOpen(undefined)}
          initial={{ auditStatus: open, version, auditRemark: null }}
          input={(body) => ({ params: { id }, body: { ...body, auditStatus: open, version } })}
        >
          <Field name="auditRemark" label="审核意见" span="all" required={open === rejectedDriver}>
            <LongText rows={3} />
          </Field>
        </FormDrawer>
      )}
    </>
  )
}

const waits: Readonly<Record<string, string>> = {
  0: '等待监理或企业审核',
  1: '已通过，由项目维护',
  2: '已驳回，由项目修改后重新提交',
}

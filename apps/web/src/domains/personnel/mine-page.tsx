import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { closeOwnLook, openOwnLook, ownLookCode, readOwnLook } from '@zhugong/contract/personnel/own-look'
import { contractStates, openEndOf } from '@zhugong/contract/personnel/rules'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { call, useCall } from '#kit/call.ts'
import { DetailSkeleton, Empty, Notice, Pairs } from '#kit/feedback.tsx'
import { amount, day } from '#kit/format.ts'
import { CodeField } from './code-field.tsx'
import { faultsOf, OpenField, useSending } from './open-field.tsx'
import './open.css'

/** A worker's own attendance and contracts, identified by the phone number on file; stores nothing in the browser. */
export default function MinePage() {
  const [token, setToken] = useState<string>()
  const leave = () => {
    if (token) void call(closeOwnLook, { body: { token } }).catch(() => undefined)
    setToken(undefined)
  }
  return (
    <main className="per-open">
      <h1>我的考勤与合同</h1>
      {token ? <Own token={token} onLeave={leave} /> : <Door onOpen={setToken} />}
    </main>
  )
}

function Door({ onOpen }: { onOpen: (token: string) => void }) {
  const [cellPhone, setCellPhone] = useState('')
  const [code, setCode] = useState('')
  const [last6, setLast6] = useState<string>()
  const { faults, setFaults, busy, send } = useSending()
  const requested = async () => {
    const found = faultsOf(ownLookCode.schemas.body, { cellPhone })
    setFaults(found)
    if (Object.keys(found).length > 0) return false
    return (await send(() => call(ownLookCode, { body: { cellPhone } }))) !== undefined
  }
  const open = async () => {
    const body = { cellPhone, code, ...(last6 === undefined ? {} : { last6 }) }
    const found = faultsOf(openOwnLook.schemas.body, body)
    setFaults(found)
    if (Object.keys(found).length > 0) return
    const done = await send(() => call(openOwnLook, { body }))
    if (done?.needsLast6) setLast6('')
    else if (done?.token) onOpen(done.token)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void open()
      }}
    >
      <OpenField label="登记时留的手机号" id="mine-phone" fault={faults.cellPhone}>
        <Input
          id="mine-phone"
          inputMode="numeric"
          autoComplete="tel-national"
          maxLength={11}
          value={cellPhone}
          onChange={(event) => setCellPhone(event.target.value)}
        />
      </OpenField>
      <CodeField value={code} onChange={setCode} fault={faults.code} ask={requested} />
      {last6 !== undefined && (
        <OpenField label="多人登记了此手机号，请填本人证件号码后 6 位" id="mine-last6" fault={faults.last6}>
          <Input id="mine-last6" maxLength={6} autoComplete="off" value={last6} onChange={(event) => setLast6(event.target.value)} />
        </OpenField>
      )}
      {faults[''] && <Notice tone="danger">{faults['']}</Notice>}
      <Button type="primary" htmlType="submit" size="large" block loading={busy}>
        查看
      </Button>
      <p className="note">没有收到短信：手机号未登记或已更换，请找工地劳务员更正。</p>
    </form>
  )
}

type Stay = OutputFor<typeof readOwnLook>['stays'][number]

const monthBy = (month: string, step: number): string => {
  const [year = 0, at = 1] = month.split('-').map(Number)
  const moved = new Date(Date.UTC(year, at - 1 + step, 1))
  return moved.toISOString().slice(0, 7)
}

function Own({ token, onLeave }: { token: string; onLeave: () => void }) {
  const thisMonth = day(Date.now()).slice(0, 7)
  const [month, setMonth] = useState(thisMonth)
  const { data, error } = useCall(readOwnLook, { body: { token, month } }, { quiet: true, staleMs: 0 })
  return (
    <>
      <div className="zg-row">
        <Button onClick={() => setMonth(monthBy(month, -1))}>上月</Button>
        <b>
          {month.slice(0, 4)} 年 {Number(month.slice(5))} 月
        </b>
        <Button disabled={month >= thisMonth} onClick={() => setMonth(monthBy(month, 1))}>
          下月
        </Button>
        <Button onClick={onLeave}>退出</Button>
      </div>
      {error ? (
        <Notice tone="danger">{error.message}</Notice>
      ) : !data ? (
        <DetailSkeleton />
      ) : (
        <>
          <p className="who">{data.name}</p>
          {data.stays.length === 0 && (
            <Empty small text="本月没有可查看的项目" hint="手机号登记之后才进场的项目，请劳务员在档案中重新填写手机号后查看" />
          )}
          {data.stays.map((stay) => (
            <StayCard key={stay.id} stay={stay} />
          ))}
        </>
      )}
    </>
  )
}

function StayCard({ stay }: { stay: Stay }) {
  return (
    <>
      <section>
        <h2>{stay.projectName}</h2>
        <Pairs
          items={[
            { label: '用工单位', value: stay.corpName ?? '--' },
            { label: '班组', value: stay.teamName ?? '--' },
            { label: '在场', value: `${stay.entryDate} 至 ${stay.exitDate ?? '今'}` },
            { label: '本月出勤', value: `${stay.attendDays} 天，${stay.hours} 小时` },
          ]}
        />
        <p className="note">{stay.closed ? '本月考勤已封账' : '本月考勤未封账，仍可能更正；有误请当日找班组长或劳务员申请补卡'}</p>
        <Days days={stay.days} />
      </section>
      <section>
        <h2>合同</h2>
        {stay.contracts.length === 0 ? <Empty small text="尚无合同" /> : stay.contracts.map((k) => <Contract key={k.id} contract={k} />)}
      </section>
      <section>
        <h2>工资</h2>
        <p className="note">尚无工资发放记录。</p>
      </section>
    </>
  )
}

function Days({ days }: { days: Stay['days'] }) {
  if (days.length === 0) return <Empty small text="本月没有考勤" />
  return (
    <table>
      <thead>
        <tr>
          <th>日期</th>
          <th>记号</th>
          <th>进场</th>
          <th>离场</th>
          <th>工时</th>
        </tr>
      </thead>
      <tbody>
        {days.map((one) => (
          <tr key={one.workDay} className={one.attended ? undefined : 'off'}>
            <td>{one.workDay.slice(5)}</td>
            <td>{one.mark || '--'}</td>
            <td>{one.firstIn ?? '--'}</td>
            <td>{one.lastOut ?? '--'}</td>
            <td className="num">{one.hours || '--'}</td>
          </tr>
        ))}
      </tbody>
      <caption>√ 出勤　迟 迟到　早 早退　缺 缺卡　× 缺勤　假 请假　加 加班　停 停工　夜 夜班　补 补传　改 更正</caption>
    </table>
  )
}

function Contract({ contract: k }: { contract: Stay['contracts'][number] }) {
  const pay = k.unitPrice ? `${amount(k.unitPrice)} 元 / ${k.unitName ?? '件'}` : k.salary ? `${amount(k.salary)} 元` : '--'
  return (
    <>
      <Pairs
        items={[
          { label: '编号', value: k.contractCode },
          { label: '签约单位', value: k.corpName ?? '--' },
          { label: '期限', value: `${k.startDate} 至 ${k.endDate ?? openEndOf(k.contractPeriodType)}（${contractStates[k.state]}）` },
          { label: '计酬', value: `${k.paymentTypeName ?? '--'}，${pay}，每月 ${k.payDay} 日发` },
          { label: '签订', value: k.signDate },
        ]}
      />
      {k.files.length === 0 ? (
        <p className="note">合同附件未上传</p>
      ) : (
        <div className="zg-row">
          {k.files.map((file, i) => (
            <a key={file} href={file} target="_blank" rel="noreferrer">
              合同附件 {i + 1}
            </a>
          ))}
        </div>
      )}
    </>
  )
}

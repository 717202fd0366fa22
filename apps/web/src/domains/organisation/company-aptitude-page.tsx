import { PlusOutlined } from '@ant-design/icons'
import {
  type Aptitude,
  addAptitude,
  aptitudeStates,
  changeAptitude,
  listAptitudes,
  setAptitudeReminder,
  tradeGroupOf,
} from '@zhugong/contract/organisation/aptitudes'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Notice, Tag, type Tone } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, DayInput, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import { useCompanyCode } from '#kit/own-company.ts'
import { hrefOf } from '#kit/page.tsx'
import './organisation.css'

const { Field, useValue } = formOf(addAptitude, changeAptitude, setAptitudeReminder)

type Act = 'edit' | 'lower' | 'cancel'
type Open = { what: 'add' | 'remind' } | { what: Act; one: Aptitude }

const tones: Readonly<Record<string, Tone>> = {
  [aptitudeStates.valid]: 'fine',
  [aptitudeStates.cancelled]: 'neutral',
  [aptitudeStates.ended]: 'danger',
  [aptitudeStates.lowered]: 'warning',
}

/** Qualifications of a company and their expiry. */
export default function CompanyAptitudePage() {
  const corpCode = useCompanyCode()
  const read = useCall(listAptitudes, { params: { corpCode } }, { quiet: true, staleMs: 0, enabled: corpCode !== '', keepPrevious: true })
  const [open, setOpen] = useState<Open>()
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  const { list, figures, beyond, remindDays, mayEdit } = read.data
  const close = () => setOpen(undefined)
  return (
    <>
      <FigureStrip
        items={[
          { label: '有效', value: figures.valid, unit: '项' },
          { label: `${remindDays} 日内到期`, value: figures.ending, unit: '项', tone: figures.ending ? 'warning' : undefined },
          { label: '已过期', value: figures.ended, unit: '项', tone: figures.ended ? 'danger' : undefined, remark: '视同没有' },
          { label: '超资质项目', value: beyond.length, unit: '个', tone: beyond.length ? 'danger' : undefined },
        ]}
      />
      {beyond.length > 0 && (
        <Notice tone="danger">
          {beyond.map((one) => (
            <div key={`${one.projectCode}.${one.corpTypeName}`}>
              <Link to={hrefOf('/system/project', { projectCode: one.projectCode })}>{one.projectName}</Link>（{one.corpTypeName}）：
              {one.why}
            </div>
          ))}
        </Notice>
      )}
      <Matrix list={list} />
      <Card
        title="资质证书"
        remark="过期的保留可查，不再计入有效"
        actions={
          mayEdit && (
            <>
              <Button onClick={() => setOpen({ what: 'remind' })}>到期提醒</Button>
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ what: 'add' })}>
                新增资质
              </Button>
            </>
          )
        }
        flush
      >
        {list.length === 0 ? (
          <Empty text="还没有登记资质" hint="登记后可核对在建项目是否超出资质" />
        ) : (
          <Certificates list={list} mayEdit={mayEdit} onOpen={(what, one) => setOpen({ what, one })} />
        )}
      </Card>
      {open?.what === 'remind' && <RemindDrawer corpCode={corpCode} days={remindDays} onClose={close} />}
      {open?.what === 'add' && <AddDrawer corpCode={corpCode} onClose={close} />}
      {open && 'one' in open && <ChangeDrawer corpCode={corpCode} act={open.what} one={open.one} onClose={close} />}
    </>
  )
}

/** Qualification types by trade, with the level valid now. */
function Matrix({ list }: { list: readonly Aptitude[] }) {
  const valid = list.filter((one) => one.status === aptitudeStates.valid || one.status === aptitudeStates.lowered)
  if (valid.length === 0) return null
  const types = [...new Set(valid.map((one) => one.certTypeName ?? one.certTypeNum))]
  const trades = [...new Set(valid.map((one) => one.tradeBoundName ?? one.tradeBoundNum))]
  const cell = (type: string, trade: string) =>
    valid.find((one) => (one.certTypeName ?? one.certTypeNum) === type && (one.tradeBoundName ?? one.tradeBoundNum) === trade)
  return (
    <Card title="资质一览" remark="类型 × 专业，只列有效的" flush>
      <div className="org-scroll">
        <table className="org-table">
          <thead>
            <tr>
              <th scope="col">类型</th>
              {trades.map((trade) => (
                <th key={trade} scope="col">
                  {trade}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {types.map((type) => (
              <tr key={type}>
                <th scope="row">{type}</th>
                {trades.map((trade) => {
                  const one = cell(type, trade)
                  return <td key={trade}>{one ? <b className={one.ending ? 'tone-warning' : ''}>{one.titleLevelName}</b> : '--'}</td>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

interface CertificatesProps {
  list: readonly Aptitude[]
  mayEdit: boolean
  onOpen: (what: Act, one: Aptitude) => void
}
function Certificates({ list, mayEdit, onOpen }: CertificatesProps) {
  return (
    <div className="org-scroll">
      <table className="org-table">
        <thead>
          <tr>
            <th scope="col">专业与等级</th>
            <th scope="col">证书编号</th>
            <th scope="col">发证机关</th>
            <th scope="col">有效期</th>
            <th scope="col">状态</th>
            <th scope="col">扫描件</th>
            {mayEdit && <th scope="col">操作</th>}
          </tr>
        </thead>
        <tbody>
          {list.map((one) => (
            <tr key={one.id}>
              <td>
                <b>{one.tradeBoundName}</b>
                <div className="zg-2">{one.titleLevelName}</div>
              </td>
              <td>{one.certCode}</td>
              <td>{one.organName}</td>
              <td>
                <span className="zg-nowrap">{one.organDate} 至</span> <span className="zg-nowrap">{one.endDate}</span>
                <div className={one.left < 0 ? 'tone-danger' : one.ending ? 'tone-warning' : 'zg-2'}>
                  {one.left < 0 ? `已过期 ${-one.left} 天` : `剩 ${one.left} 天`}
                </div>
              </td>
              <td>
                <Tag tone={tones[one.status] ?? 'neutral'}>{one.statusName}</Tag>
                {one.reason && <div className="zg-2">{one.reason}</div>}
              </td>
              <td>
                {one.files.map((href, at) => (
                  <a key={href} href={href} target="_blank" rel="noreferrer" aria-label={`附件 ${at + 1}，${one.certCode} 扫描件`}>
                    附件 {at + 1}{' '}
                  </a>
                ))}
              </td>
              {mayEdit && (
                <td>
                  {one.status !== aptitudeStates.cancelled && (
                    <>
                      <Button size="small" type="link" onClick={() => onOpen('edit', one)}>
                        修改或延续
                      </Button>
                      <Button size="small" type="link" onClick={() => onOpen('lower', one)}>
                        降级
                      </Button>
                      <Button size="small" type="link" danger onClick={() => onOpen('cancel', one)}>
                        注销
                      </Button>
                    </>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Trade and level options depend on the type. */
function AptitudeFields() {
  const dicts = useDicts('corpCertType', 'corpTrade', 'corpCertLevel', 'corpCertGainWay')
  const type = useValue('certTypeNum')
  const group = type ? tradeGroupOf(type) : undefined
  const below = (code: string, parent: string | undefined) =>
    dicts
      .items(code)
      .filter((one) => one.parent && !one.hidden && (parent === undefined || one.parent === parent))
      .map((one) => ({ value: one.code, label: one.name }))
  return (
    <>
      <Field name="certTypeNum" label="资质类型" required>
        <Choice options={dicts.options('corpCertType')} />
      </Field>
      <Field name="tradeBoundNum" label="专业类别" required>
        <Choice options={below('corpTrade', group)} />
      </Field>
      <Field name="titleLevelNum" label="资质等级" required>
        <Choice options={below('corpCertLevel', type)} />
      </Field>
      <Field name="certCode" label="证书编号" required>
        <Input />
      </Field>
      <Field name="organName" label="发证机关" required>
        <Input />
      </Field>
      <Field name="addTypeNum" label="取得方式">
        <Choice options={dicts.options('corpCertGainWay')} />
      </Field>
      <Field name="organDate" label="发证日期" required>
        <DayInput />
      </Field>
      <Field name="endDate" label="有效期至" required>
        <DayInput />
      </Field>
      <Field name="files" label="证书扫描件" required span="all">
        <Upload accept="image/*,.pdf" max={12} />
      </Field>
    </>
  )
}

function AddDrawer({ corpCode, onClose }: { corpCode: string; onClose: () => void }) {
  const act = useAct(addAptitude, { success: '资质已登记' })
  return (
    <FormDrawer
      open
      act={act}
      title="新增资质"
      initial={{ files: [], addTypeNum: null }}
      input={(body) => ({ params: { corpCode }, body })}
      onClose={onClose}
    >
      <AptitudeFields />
    </FormDrawer>
  )
}

const actWords: Readonly<Record<Act, string>> = { edit: '修改或延续资质', lower: '资质降级', cancel: '注销资质' }

function ChangeDrawer({ corpCode, act: action, one, onClose }: { corpCode: string; act: Act; one: Aptitude; onClose: () => void }) {
  const act = useAct(changeAptitude, { success: '已保存，记入企业历史' })
  const { certTypeNum, tradeBoundNum, titleLevelNum, certCode, organName, organDate, endDate, addTypeNum, files, version } = one
  return (
    <FormDrawer
      open
      act={act}
      title={actWords[action]}
      remark={`${one.tradeBoundName} ${one.certCode}`}
      initial={{
        ...{ action, certTypeNum, tradeBoundNum, titleLevelNum, certCode, organName, organDate, endDate, addTypeNum, files, version },
        reason: null,
      }}
      input={(body) => ({ params: { corpCode, id: one.id }, body })}
      onClose={onClose}
    >
      {action === 'cancel' && <Notice tone="warning">注销后不能恢复，在建项目按没有该项资质核对。</Notice>}
      {action !== 'edit' && (
        <Field name="reason" label="原因与依据" required span="all">
          <LongText rows={3} />
        </Field>
      )}
      <AptitudeFields />
    </FormDrawer>
  )
}

function RemindDrawer({ corpCode, days, onClose }: { corpCode: string; days: number; onClose: () => void }) {
  const act = useAct(setAptitudeReminder, { success: '提醒天数已保存' })
  return (
    <FormDrawer
      open
      narrow
      width={400}
      act={act}
      title="到期提醒"
      initial={{ days }}
      input={(body) => ({ params: { corpCode }, body })}
      onClose={onClose}
    >
      <Field name="days" label="到期前多少天起提示" help="本页、企业设置的提示数由此而来" required>
        <NumberInput />
      </Field>
    </FormDrawer>
  )
}

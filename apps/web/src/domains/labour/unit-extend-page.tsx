import { getUnitInfo, type UnitInfo, unitParts, updateUnitInfo } from '@zhugong/contract/labour/unit-info'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan, withCode } from '#kit/can.tsx'
import { DetailShell, NothingChosen } from '#kit/detail-shell.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { daysLeft, thousands } from '#kit/format.ts'
import { Choice, DayInput, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import { useGo, usePageQuery } from '#kit/page.tsx'
import './labour.css'
import './black.css'

const { Field, FieldList } = formOf(updateUnitInfo)

const moneyCall = withCode(updateUnitInfo, 'labour.account')
const unitCall = withCode(updateUnitInfo, 'labour.unit')
type Part = 'pay' | 'accounts' | 'contract' | 'insurance' | 'remark'

/** Wages, insurance and contract of a unit. Each group of fields is saved by itself, usually later and by finance. */
export default function UnitExtendPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const read = useCall(getUnitInfo, { query: { id } }, { quiet: true, enabled: id !== '', staleMs: 0 })
  const [editing, setEditing] = useState<Part>()
  const u = read.data
  if (!id) return <NothingChosen title="单位扩展信息" thing="单位" one="一个单位" from={{ path: '/unitListStock', name: '单位库' }} />
  return (
    <DetailShell
      title={u && `${u.corpName} 扩展信息`}
      place={u && { projectCode: u.projectCode, corpCode: u.corpCode }}
      tags={u && <Tag icon={false}>{u.corpTypeName}</Tag>}
      loading={read.isPending}
      error={read.error}
      retry={read.refetch}
      backTo="/unitListStock"
      facts={
        u
          ? [
              { label: '项目', value: u.projectName },
              { label: '进场', value: u.entryTime },
              { label: '退场', value: u.exitTime },
            ]
          : []
      }
      actions={u && <Button onClick={() => go('/unitListEditDetails', { id })}>看单位详情</Button>}
    >
      {u && <Groups u={u} onEdit={setEditing} />}
      {u && editing && <Editor key={editing} u={u} part={editing} onClose={() => setEditing(undefined)} />}
    </DetailShell>
  )
}

function Edit({ call, onClick }: { call: typeof unitCall; onClick: () => void }) {
  return (
    <Can call={call}>
      <Button onClick={onClick}>编辑</Button>
    </Can>
  )
}

function Groups({ u, onEdit }: { u: UnitInfo; onEdit: (part: Part) => void }) {
  const sum = u.contractChanges.reduce((all, c) => all + (c.amount ?? 0), u.contractAmount ?? 0)
  return (
    <>
      <Card title="工资代发" actions={<Edit call={unitCall} onClick={() => onEdit('pay')} />}>
        <Pairs
          items={[
            { label: '代发方式', value: u.payTypeName },
            { label: '代发协议', value: u.agreementFile.length ? <Files files={u.agreementFile} /> : null },
          ]}
        />
      </Card>
      <Card
        title="账户"
        remark="保存后遮盖账号；变更须另一人确认"
        actions={<Edit call={moneyCall} onClick={() => onEdit('accounts')} />}
        flush
      >
        <Pending u={u} />
        <Accounts accounts={u.accounts} />
      </Card>
      <Card
        title="分包合同与补充协议"
        remark={u.contractAmount === null ? undefined : `合计 ${thousands(sum, 2)} 万元`}
        actions={<Edit call={unitCall} onClick={() => onEdit('contract')} />}
        flush
      >
        <table className="corp-parts">
          <thead>
            <tr>
              <th>日期</th>
              <th>内容</th>
              <th>金额（万元）</th>
              <th>附件</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td className="zg-num">{u.entryTime}</td>
              <td>分包合同 {u.contractNo ?? '（未填编号）'}</td>
              <td className="zg-num">{u.contractAmount === null ? '--' : thousands(u.contractAmount, 2)}</td>
              <td>
                <Files files={u.contractFile} />
              </td>
            </tr>
            {u.contractChanges.map((c) => (
              <tr key={`${c.date}${c.remark}`}>
                <td className="zg-num">{c.date}</td>
                <td>{c.remark}</td>
                <td className={`zg-num ${(c.amount ?? 0) < 0 ? 'tone-danger' : ''}`}>
                  {c.amount === null ? '--' : thousands(c.amount, 2)}
                </td>
                <td>
                  <Files files={c.files} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <Card title="保险" actions={<Edit call={unitCall} onClick={() => onEdit('insurance')} />} flush>
        {u.insurances.length === 0 ? (
          <Empty small text="还没有登记保单" hint="工伤保险和意外险的保单由财务登记" />
        ) : (
          <table className="corp-parts">
            <thead>
              <tr>
                <th>险种</th>
                <th>保单号</th>
                <th>承保机构</th>
                <th>期限</th>
                <th>状态</th>
              </tr>
            </thead>
            <tbody>
              {u.insurances.map((i) => (
                <tr key={i.policyNo}>
                  <td>{i.kindName}</td>
                  <td>{i.policyNo}</td>
                  <td>{i.insurer}</td>
                  <td className="zg-num">
                    {i.startDate} 至 {i.endDate}
                  </td>
                  <td>
                    <Tag tone={i.left < 0 ? 'danger' : i.left <= 30 ? 'warning' : 'fine'} icon={false}>
                      {i.left < 0 ? '已过期' : daysLeft(i.endDate)}
                    </Tag>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
      <Card title="备注" actions={<Edit call={unitCall} onClick={() => onEdit('remark')} />}>
        {u.remark ?? <span className="zg-2">--</span>}
      </Card>
    </>
  )
}

function Files({ files }: { files: readonly string[] }) {
  if (files.length === 0) return <span className="zg-2">--</span>
  return (
    <>
      {files.map((file, i) => (
        <a key={file} href={file} target="_blank" rel="noreferrer" className="zg-right-8">
          附件 {i + 1}
        </a>
      ))}
    </>
  )
}

function Accounts({ accounts }: { accounts: UnitInfo['accounts'] }) {
  if (accounts.length === 0) return <Empty small text="还没有账户" hint="第一次登记立即生效，以后变更须另一人确认" />
  return (
    <table className="corp-parts">
      <thead>
        <tr>
          <th>用途</th>
          <th>银行</th>
          <th>开户行</th>
          <th>账号</th>
          <th>联行号</th>
        </tr>
      </thead>
      <tbody>
        {accounts.map((a) => (
          <tr key={a.bankNumber}>
            <td>{a.businessTypeName}</td>
            <td>{a.bankCodeName}</td>
            <td>{a.bankName}</td>
            <td className="zg-num">{a.bankNumber}</td>
            <td className="zg-num">{a.bankLinkNumber ?? '--'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Account changes waiting for the approval of a second person. */
function Pending({ u }: { u: UnitInfo }) {
  const act = useAct(updateUnitInfo, { success: '已处理' })
  const may = useCan(moneyCall)
  const change = u.accountChange
  if (!change) return null
  const decide = (accept: boolean) => act.run({ body: { part: 'confirmAccounts', id: u.id, version: u.version, accept } })
  return (
    <Notice
      tone="warning"
      actions={
        may && (
          <>
            {!change.own && (
              <Button
                type="primary"
                loading={act.running}
                onClick={() =>
                  void act.afterRequesting(
                    {
                      thing: `确认 ${u.corpName} 的账户变更`,
                      consequence: '确认后工资按新账户代发，请核对开户许可。',
                      verb: '确认变更',
                      keep: '再核对',
                    },
                    { body: { part: 'confirmAccounts', id: u.id, version: u.version, accept: true } },
                  )
                }
              >
                确认
              </Button>
            )}
            <Button loading={act.running} onClick={() => void decide(false)}>
              {change.own ? '撤回' : '退回'}
            </Button>
          </>
        )
      }
    >
      {change.byName} 于 {change.time} 申请变更为 {change.accounts.map((a) => `${a.bankCodeName ?? ''} ${a.bankNumber}`).join('、')}
      {change.own ? '，等待另一人确认' : '，请核对后确认'}
    </Notice>
  )
}

function Editor({ u, part, onClose }: { u: UnitInfo; part: Part; onClose: () => void }) {
  const act = useAct(updateUnitInfo, { onDone: onClose })
  const dicts = useDicts('payChannel', 'bankAccountKind', 'bankCode', 'insuranceType')
  const base = { part, id: u.id, version: u.version }
  const shared = { open: true, act, schema: unitParts[part], remark: u.corpName, onClose } as const
  if (part === 'pay')
    return (
      <FormDrawer {...shared} narrow width={480} title="工资代发" initial={{ ...base, payType: u.payType, agreementFile: u.agreementFile }}>
        <Field name="payType" label="代发方式">
          <Choice options={dicts.options('payChannel')} />
        </Field>
        <Field name="agreementFile" label="代发协议">
          <Upload max={6} accept="image/*,application/pdf" />
        </Field>
      </FormDrawer>
    )
  if (part === 'remark')
    return (
      <FormDrawer {...shared} narrow width={480} title="备注" initial={{ ...base, remark: u.remark }}>
        <Field name="remark" label="备注">
          <LongText rows={5} maxLength={500} />
        </Field>
      </FormDrawer>
    )
  if (part === 'accounts')
    return (
      <FormDrawer
        {...shared}
        title="账户"
        saveText={u.accounts.length ? '提交变更' : '保存'}
        initial={{ ...base, accounts: u.accounts.map(({ bankNumber: _masked, businessTypeName: _b, bankCodeName: _c, ...a }) => a) }}
      >
        <FieldList name="accounts" add="添加账户">
          {({ name, remove }) => (
            <>
              <Field name={name('businessType')} label="用途">
                <Choice options={dicts.options('bankAccountKind')} />
              </Field>
              <Field name={name('bankCode')} label="银行">
                <Choice options={dicts.options('bankCode')} />
              </Field>
              <Field name={name('bankName')} label="开户行">
                <Input maxLength={100} />
              </Field>
              <Field name={name('bankNumber')} label="账号" help="已登记的账号不填则不变">
                <Input maxLength={40} inputMode="numeric" />
              </Field>
              <Field name={name('bankLinkNumber')} label="联行号" help="12 位数字">
                <Input maxLength={12} inputMode="numeric" />
              </Field>
              <Button onClick={remove}>移除</Button>
            </>
          )}
        </FieldList>
      </FormDrawer>
    )
  if (part === 'contract')
    return (
      <FormDrawer {...shared} title="补充协议" initial={{ ...base, changes: u.contractChanges }}>
        <FieldList name="changes" add="添加补充协议">
          {({ name, remove }) => (
            <>
              <Field name={name('date')} label="签订日期">
                <DayInput />
              </Field>
              <Field name={name('amount')} label="增减金额" help="减少填负数">
                <NumberInput unit="万元" precision={2} />
              </Field>
              <Field name={name('remark')} label="变更内容" span="all">
                <Input maxLength={200} />
              </Field>
              <Field name={name('files')} label="附件" span="all">
                <Upload max={6} accept="image/*,application/pdf" />
              </Field>
              <Button onClick={remove}>移除</Button>
            </>
          )}
        </FieldList>
      </FormDrawer>
    )
  return (
    <FormDrawer {...shared} title="保险" initial={{ ...base, insurances: u.insurances.map(({ kindName: _k, left: _l, ...i }) => i) }}>
      <FieldList name="insurances" add="添加保单">
        {({ name, remove }) => (
          <>
            <Field name={name('kind')} label="险种">
              <Choice options={dicts.options('insuranceType')} />
            </Field>
            <Field name={name('policyNo')} label="保单号">
              <Input maxLength={60} />
            </Field>
            <Field name={name('insurer')} label="承保机构">
              <Input maxLength={100} />
            </Field>
            <Field name={name('startDate')} label="起期">
              <DayInput />
            </Field>
            <Field name={name('endDate')} label="止期">
              <DayInput />
            </Field>
            <Button onClick={remove}>移除</Button>
          </>
        )}
      </FieldList>
    </FormDrawer>
  )
}

import { createCompanyBlack } from '@zhugong/contract/labour/black'
import { createTeam } from '@zhugong/contract/labour/teams'
import { getUnitInfo, type UnitInfo, updateUnitInfo } from '@zhugong/contract/labour/unit-info'
import { setUnitTime, updateUnit } from '@zhugong/contract/labour/units'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can, withCode } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { DetailShell, type Fact, NothingChosen } from '#kit/detail-shell.tsx'
import { Card, Empty, FigureStrip, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { daysLeft, dueWords, phone, ratio, ratioOf, thousands } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { DayCurve } from './day-curve.tsx'
import { UnitTimeDrawer } from './unit-time-drawer.tsx'
import './labour.css'
import './black.css'
import { UploadState } from '../docking/public.tsx'

/** Minimum share of days a project leader must be on site; from chapter 13 of the definitions of figures. */
const leastLeaderRate = 0.8

/** Facts that are hidden from readers without access, because they would read as zero. */
const peopleFacts = (u: UnitInfo): Fact[] => [
  {
    label: '负责人到岗率',
    value: u.pmRate === null ? '未登记考勤' : ratio(u.pmRate),
    tone: u.pmRate === null ? undefined : u.pmRate < leastLeaderRate ? 'danger' : 'fine',
  },
  { label: '在册人数', value: `${thousands(u.onSite)} 人` },
  { label: '今日出勤', value: dueWords(u.today) },
]

/** One company on this project: people, teams, attendance, problems. */
export default function UnitDetailsPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const read = useCall(getUnitInfo, { query: { id } }, { quiet: true, enabled: id !== '', staleMs: 15_000 })
  const [leaves, setLeaves] = useState(false)
  const u = read.data
  if (!id) return <NothingChosen title="单位详情" thing="单位" one="一个单位" from={{ path: '/unitListStock', name: '单位库' }} />
  return (
    <DetailShell
      title={u?.corpName}
      place={u && { projectCode: u.projectCode, corpCode: u.corpCode }}
      tags={
        u && (
          <>
            <Tag icon={false}>{u.corpTypeName}</Tag>
            {u.exitTime ? <Tag>已于 {u.exitTime} 退场</Tag> : <Tag tone="fine">在场</Tag>}
            {u.black && <Tag tone="danger">企业黑名单</Tag>}
            <UploadState objectType="projectCorp" sourceId={u.id} />
          </>
        )
      }
      loading={read.isPending}
      error={read.error}
      retry={read.refetch}
      backTo="/unitListStock"
      facts={
        u
          ? [
              { label: '项目', value: u.projectName },
              {
                label: '负责人',
                value: u.pmName && `${u.pmName} ${u.pmPhone ? phone(u.pmPhone) : ''}`,
              },
              ...(u.isOwnLine ? peopleFacts(u) : [{ label: '人员与考勤', value: '不在您的管辖范围' }]),
            ]
          : []
      }
      actions={
        u && (
          <>
            <Can call={updateUnit}>
              <Button onClick={() => go('/unitListEdit', { id })}>编辑</Button>
            </Can>
            <Can call={updateUnitInfo}>
              <Button onClick={() => go('/unitListEditExtend', { id })}>扩展信息</Button>
            </Can>
            {u.isOwnLine && (
              <Can call={createCompanyBlack}>
                <Button onClick={() => go('/companyBlack', { corpCode: u.corpCode })}>申请列入黑名单</Button>
              </Can>
            )}
            {u.isOwnLine && !u.exitTime && (
              <Can call={withCode(setUnitTime, 'labour.unitExit')}>
                <Button danger onClick={() => setLeaves(true)}>
                  单位退场
                </Button>
              </Can>
            )}
          </>
        )
      }
    >
      {u &&
        (u.isOwnLine ? (
          <Sides u={u} />
        ) : (
          <Notice tone="info">该单位不在本企业的承包关系内，人员、班组、考勤、账户和合同不在您的管辖范围，不显示。</Notice>
        ))}
      {u && leaves && <UnitTimeDrawer unit={u} leaves onClose={() => setLeaves(false)} />}
    </DetailShell>
  )
}

function Sides({ u }: { u: UnitInfo }) {
  const go = useGo()
  // Without a selected project, restrict the links to the project of this unit.
  const only = useProjectCode() === '*' ? { projectCode: u.projectCode } : {}
  const people = (more: Record<string, string>) => hrefOf('/personList', { ...only, stationed: '1', corpCode: u.corpCode, ...more })
  return (
    <>
      {u.black && (
        <Notice tone="danger">
          该企业在企业黑名单内（{u.black.reasonTypeName}，{u.black.scopeName}，至 {u.black.endDate}）：已进场的可留场，不得新增班组。
        </Notice>
      )}
      <FigureStrip
        items={[
          {
            label: '未签合同',
            value: thousands(u.gaps.contract),
            unit: '人',
            tone: u.gaps.contract ? 'danger' : undefined,
            href: people({ missing: 'contract' }),
          },
          {
            label: '未入场教育',
            value: thousands(u.gaps.training),
            unit: '人',
            tone: u.gaps.training ? 'warning' : undefined,
            href: people({ missing: 'training' }),
          },
          {
            label: '无工资卡',
            value: thousands(u.gaps.payCard),
            unit: '人',
            tone: u.gaps.payCard ? 'warning' : undefined,
            href: people({ missing: 'payCard' }),
          },
          {
            label: '不良与黑名单',
            value: thousands(u.bad + u.gaps.blacklist),
            unit: '条',
            remark: `未核验 ${u.gaps.realName} 人`,
            tone: u.bad + u.gaps.blacklist ? 'danger' : undefined,
          },
        ]}
      />
      <div className="lab-two">
        <Card title="近 30 日出勤" remark="应到与实到">
          <DayCurve days={u.days} />
        </Card>
        <Card title="人员构成" remark={`${u.onSite} 人，今日${dueWords(u.today)}`}>
          <Trades trades={u.byTrade} />
        </Card>
      </div>
      <Card
        title="班组"
        remark={`在场 ${u.teamCount} 个`}
        actions={
          !u.exitTime && (
            <Can call={createTeam}>
              <Button type="primary" onClick={() => go('/teamListEdit', { projectCorpId: u.id, corpCode: u.corpCode })}>
                新增班组
              </Button>
            </Can>
          )
        }
        flush
      >
        {u.teams.length === 0 ? (
          <Empty small text="尚无班组进场" hint="从“新增班组”开始，班组进场后才能登记工人" />
        ) : (
          <table className="corp-parts">
            <thead>
              <tr>
                <th>班组</th>
                <th>工种</th>
                <th>班组长</th>
                <th>在场</th>
                <th>今日出勤</th>
                <th>进场</th>
                <th>退场</th>
              </tr>
            </thead>
            <tbody>
              {u.teams.map((t) => (
                <tr key={t.id} className={t.exitTime ? 'zg-2' : ''}>
                  <td>
                    <Link to={hrefOf('/teamListEditDetails', { id: t.id })}>{t.teamName}</Link>
                  </td>
                  <td>{t.workTypeName}</td>
                  <td>{t.teamLeaderName ?? <span className="tone-warning">未指定</span>}</td>
                  <td className="zg-num">{t.headcount}</td>
                  <td>
                    <Bar part={t.today.arrived} whole={t.today.expected} />
                  </td>
                  <td className="zg-num zg-nowrap">{t.entryTime}</td>
                  <td className="zg-num zg-nowrap">{t.exitTime ?? '--'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
      <div className="lab-two">
        <Card title="合同与保险">
          <Pairs
            items={[
              { label: '上级发包单位', value: u.parentCorpName },
              { label: '合同编号', value: u.contractNo ?? <span className="tone-warning">未填</span> },
              { label: '合同金额', value: u.contractAmount === null ? null : `${thousands(u.contractAmount, 2)} 万元` },
              { label: '补充协议', value: u.contractChanges.length ? `${u.contractChanges.length} 份` : null },
              { label: '工资代发', value: u.payTypeName },
              { label: '工资账户', value: u.accounts.length ? u.accounts.map((a) => a.bankNumber).join('、') : null },
              {
                label: '保险',
                value: u.insurances.length
                  ? u.insurances.map((i) => (
                      <div key={i.policyNo}>
                        {i.kindName}{' '}
                        <span className={i.left < 0 ? 'tone-danger' : i.left <= 30 ? 'tone-warning' : 'zg-2'}>{daysLeft(i.endDate)}</span>
                      </div>
                    ))
                  : null,
              },
            ]}
          />
        </Card>
        <Card title="进退场记录">
          <ol className="zg-work-lines">
            {u.moves.map((m) => (
              <li key={`${m.date}${m.text}`}>
                <span className="zg-num">{m.date}</span> {m.text}
              </li>
            ))}
          </ol>
        </Card>
      </div>
    </>
  )
}

/** Present people as a bar. */
export function Bar({ part, whole }: { part: number; whole: number }) {
  return (
    <span className="lab-span" title={ratioOf(part, whole)}>
      <span className="track">
        <Filled part={part} whole={whole} color={part < whole * 0.7 ? colors.orange : colors.fine} />
      </span>
      <span className="zg-num">
        {part} / {whole}
      </span>
    </span>
  )
}

function Trades({ trades }: { trades: UnitInfo['byTrade'] }) {
  const most = useMemo(() => Math.max(1, ...trades.map((t) => t.present)), [trades])
  if (trades.length === 0) return <Empty small text="没有在场人员" />
  return (
    <>
      {trades.slice(0, 12).map((t) => (
        <div className="lab-bar" key={t.code} title={`今日到 ${t.attended} 人`}>
          <span>{t.name}</span>
          <span className="track">
            <Filled part={t.present} whole={most} />
          </span>
          <span className="zg-num">{t.present}</span>
        </div>
      ))}
    </>
  )
}

import { CheckCircleFilled, CloseCircleFilled, UserOutlined } from '@ant-design/icons'
import { stations } from '@zhugong/contract/labour/codes'
import { realNames, residentId } from '@zhugong/contract/personnel/codes'
import { realNameStates } from '@zhugong/contract/personnel/rules'
import { isHeld, type WorkerHead } from '@zhugong/contract/personnel/worker-model'
import { updateWorker, workerBaseInfo, workerDetailInfo, workerLooks } from '@zhugong/contract/personnel/workers'
import { Button } from 'antd'
import { useState } from 'react'
import { call, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DetailShell, NothingChosen } from '#kit/detail-shell.tsx'
import { Card, Empty, Notice, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { day, daysLeft, daysUntil, phone } from '#kit/format.ts'
import { Masked } from '#kit/masked.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { ChildView, useGo, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { GenderAge, StayTag } from './words.tsx'
import './personnel.css'
import { UploadState } from '../docking/public.tsx'

const tabs = '/personnelSystem/info'

/** One person with all tabs, keeping the position in the list. */
export default function InfoPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const read = useCall(workerBaseInfo, { params: { id } }, { quiet: true, enabled: id !== '', staleMs: 15_000 })
  const [looks, setLooks] = useState(false)
  const w = read.data
  if (!id) {
    return <NothingChosen title="人员信息" thing="人员" one="一个人" from={{ path: '/personnelSystem', name: '人员档案' }} />
  }
  const left = daysUntil(w?.nextEnd)
  return (
    <DetailShell
      title={w?.name}
      place={w?.stay ? { projectCode: w.stay.projectCode, corpCode: w.stay.corpCode } : undefined}
      tags={
        w &&
        (w.stay ? (
          <>
            <StayTag formalStatus={w.stay.formalStatus} stationed={w.stay.stationed} full />
            {w.stay.blackHit && <Tag tone="danger">黑名单</Tag>}
            <UploadState objectType="workerBase" sourceId={w.workerId} />
          </>
        ) : (
          <Tag>未进过场</Tag>
        ))
      }
      loading={read.isPending}
      error={read.error}
      retry={read.refetch}
      backTo="/personnelSystem"
      facts={
        w
          ? [
              { label: '工种', value: w.stay?.workTypeName ?? w.workTypeName },
              { label: '单位 / 班组', value: [w.stay?.corpName, w.stay?.teamName].filter(Boolean).join(' · ') },
              {
                label: w.stay?.stationed === stations.left ? '退场' : '进场',
                value: w.stay
                  ? w.stay.exitTime
                    ? day(w.stay.exitTime)
                    : `${day(w.stay.entryTime)}（${-(daysUntil(w.stay.entryTime) ?? 0)} 天）`
                  : null,
              },
              { label: '本月出勤', value: w.stay ? `${w.stay.attendDays} 天` : null },
              w.nextEnd
                ? {
                    label: '最近到期',
                    value: left !== undefined && left > 0 ? `${left} 天` : daysLeft(w.nextEnd),
                    tone: left !== undefined && left <= 30 ? 'warning' : undefined,
                  }
                : w.hold === 'former'
                  ? { label: '档案', value: '只显示在场期间的资料' }
                  : w.hold === 'unconfirmed'
                    ? { label: '档案', value: '待本人过闸或确认后开放', tone: 'warning' }
                    : { label: '档案完整度', value: `${w.completeness * 10}%`, tone: w.completeness < 10 ? 'warning' : undefined },
            ]
          : []
      }
      actions={
        w && (
          <>
            {isHeld(w.hold) && (
              <Can call={updateWorker}>
                <Button onClick={() => go('/personListEdit', { id })}>编辑</Button>
              </Can>
            )}
            {w.stay && <Button onClick={() => go('/personListDetails', { id: w.stay?.id, workerId: id })}>在场详情</Button>}
            <Button onClick={() => go('/PersonDetails', { id })}>一人一档</Button>
            <Button onClick={() => setLooks(true)}>访问记录</Button>
          </>
        )
      }
      side={
        w
          ? [
              { path: `${tabs}/basic`, title: '基本信息', warning: w.incomplete.length > 0 },
              { path: `${tabs}/resume`, title: '从业经历', count: w.counts.history },
              { path: `${tabs}/bad`, title: '不良记录', count: w.counts.bad, warning: w.counts.bad > 0 },
              { path: `${tabs}/contract`, title: '合同信息', count: w.counts.contracts },
              {
                path: `${tabs}/certificate`,
                title: '资格证书',
                count: w.counts.certs,
                warning: w.counts.certsExpired + w.counts.certsExpiring > 0,
              },
              { path: `${tabs}/virusProtect`, title: '防疫信息' },
            ]
          : []
      }
      aside={w && <Aside w={w} />}
    >
      {w?.stay?.blackHit && (
        <div className="zg-below">
          <Notice tone="danger">
            此人在黑名单内，不得上岗
            {w.stay.black &&
              `：${w.stay.black.reasonTypeName ?? ''}，${w.stay.black.scopeName}，${w.stay.black.issuer}认定，${w.stay.black.endDate} 移出`}
          </Notice>
        </div>
      )}
      <ChildView />
      <PageDrawer open={looks} size={560} title="访问记录" onClose={() => setLooks(false)} footer={null}>
        {looks && <Looks id={id} />}
      </PageDrawer>
    </DetailShell>
  )
}

function Aside({ w }: { w: WorkerHead }) {
  const mayUnmask = useCan('personnel.unmask') && isHeld(w.hold)
  const reveal = (field: string) =>
    mayUnmask
      ? {
          reveal: async (reason: string) =>
            (
              await call(workerDetailInfo, {
                params: { id: w.workerId },
                query: { plain: field, reason, projectWorkerId: field.startsWith('pay') && w.stay ? w.stay.id : undefined },
              })
            ).plain?.[field],
        }
      : {}
  const met = w.stay?.conditions.filter((c) => c.met).length ?? 0
  const face = w.consents.find((c) => c.kind === 'face')
  const personal = w.consents.find((c) => c.kind === 'personal')
  return (
    <>
      <Card title="身份" remark={mayUnmask ? '查看明文须填写事由' : ''} flush>
        <div className="per-who">
          <div className="per-photo">{w.photo ? <Thumb src={w.photo} name={w.name} width={72} height={90} /> : <UserOutlined />}</div>
          <div>
            <strong className="zg-14">{w.name}</strong>
            <div className="zg-2">
              <GenderAge gender={w.gender} age={w.age} /> 岁 · {w.nationName ?? '民族未填'}
            </div>
            <div className={`zg-above-4 ${w.realNameState === realNames.matched ? 'tone-fine' : 'tone-warning'}`}>
              {w.realNameState === realNames.matched ? <CheckCircleFilled /> : <CloseCircleFilled />} 实名核验
              {realNameStates[w.realNameState as keyof typeof realNameStates] ?? ''}
            </div>
          </div>
        </div>
        <dl className="per-lines">
          <div>
            <dt>{w.idCardType === residentId ? '身份证' : '证件'}</dt>
            <dd>
              <Masked value={w.idCardNumber} label="证件号码" {...reveal('idCardNumber')} />
            </dd>
          </div>
          <div>
            <dt>手机</dt>
            <dd>
              <Masked value={w.cellPhone && phone(w.cellPhone)} label="手机号码" {...reveal('cellPhone')} />
            </dd>
          </div>
          <div>
            <dt>住址</dt>
            <dd>
              <Masked value={w.address} label="住址" {...reveal('address')} />
            </dd>
          </div>
          <div>
            <dt>银行卡</dt>
            <dd>
              <Masked value={w.payCard} label="工资卡号" {...reveal('payRollBankCardNumber')} />
            </dd>
          </div>
          <div>
            <dt>证件有效</dt>
            <dd>{w.startDate ? `${w.startDate} 至 ${w.expiryDate ?? '--'}` : '--'}</dd>
          </div>
          <div>
            <dt>紧急联系</dt>
            <dd>
              {w.urgentLinkMan ?? '--'}{' '}
              {w.urgentLinkManPhone && (
                <Masked value={phone(w.urgentLinkManPhone)} label="紧急联系电话" {...reveal('urgentLinkManPhone')} />
              )}
            </dd>
          </div>
        </dl>
      </Card>
      {w.stay && w.stay.stationed === stations.present && (
        <Card title="上岗条件" actions={<span className={met === 7 ? 'tone-fine' : 'tone-danger'}>{met} / 7 满足</span>} flush>
          <ul className="per-conditions">
            {w.stay.conditions.map((c) => (
              <li key={c.code}>
                {c.met ? <CheckCircleFilled className="tone-fine" /> : <CloseCircleFilled className="tone-danger" />}
                {c.name}
                <span className="right">{c.remark}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title="告知与同意" flush>
        <ul className="per-conditions">
          <li>
            个人信息处理<span className="right">{personal ? `${personal.state} ${day(personal.time, '')}` : '待签'}</span>
          </li>
          <li>
            人脸用于门禁
            <span className="right">{face ? `${face.state} ${day(face.time, '')}` : '待签'}</span>
          </li>
        </ul>
        {face && face.state !== '同意' && <div className="zg-2 zg-pad-below zg-small">替代方式：实名卡或胸牌二维码</div>}
      </Card>
    </>
  )
}

function Looks({ id }: { id: string }) {
  const { data, isPending } = useCall(workerLooks, { params: { id } }, { staleMs: 0 })
  if (isPending) return <TableSkeleton rows={4} columns={3} />
  if (!data?.length) return <Empty small text="没有访问记录" hint="查看明文和健康信息都会记在这里" />
  return (
    <table className="per-simple">
      <thead>
        <tr>
          <th>时间</th>
          <th>谁</th>
          <th>看了什么</th>
        </tr>
      </thead>
      <tbody>
        {data.map((l) => (
          <tr key={l.id}>
            <td className="zg-num zg-nowrap">{l.at}</td>
            <td className="zg-nowrap">
              {l.userName}
              <div className="zg-2">{l.groupName}</div>
            </td>
            <td>{l.summary}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

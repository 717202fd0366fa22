import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import { directions } from '@zhugong/contract/attendance/facts'
import { entryExits, stations, workRoles } from '@zhugong/contract/labour/codes'
import { setAccount, setTerms } from '@zhugong/contract/labour/stays'
import { formalStates } from '@zhugong/contract/personnel/codes'
import { saveCert, saveContract } from '@zhugong/contract/personnel/papers'
import { isHeld, type StayDetail, type WorkerDetail } from '@zhugong/contract/personnel/worker-model'
import { trainWorkers, verifyWorker, workerDetailInfo } from '@zhugong/contract/personnel/workers'
import { Link } from 'react-router'
import { AccountCheck } from '#domains/labour/public.ts'
import { call } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { day, phone } from '#kit/format.ts'
import { Masked } from '#kit/masked.tsx'
import { hrefOf } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { LackingFields } from './formal-field.tsx'
import { absenceWord, priceWords } from './stay-words.ts'
import { GenderAge, LicenceWord } from './words.tsx'

export function StayBody({
  w,
  stay,
  onTrain,
  onAccount,
  onTerms,
}: {
  w: WorkerDetail
  stay: StayDetail
  onTrain: () => void
  onAccount: () => void
  onTerms: () => void
}) {
  const met = stay.conditions.filter((c) => c.met).length
  const mayWork = stay.stationed === stations.present && stay.formalStatus === formalStates.formal && met === 7
  const mayUnmask = useCan('personnel.unmask') && isHeld(w.hold)
  const reveal = (field: string) =>
    mayUnmask
      ? {
          reveal: async (reason: string) =>
            (await call(workerDetailInfo, { params: { id: w.workerId }, query: { projectWorkerId: stay.id, plain: field, reason } }))
              .plain?.[field],
        }
      : {}
  const mend: Record<string, React.ReactNode> = {
    realName: (
      <Can call={verifyWorker}>
        <Link to={hrefOf('/personnelSystem/info/basic', { id: w.workerId })}>去核验</Link>
      </Can>
    ),
    contract: (
      <Can call={saveContract}>
        <Link to={hrefOf('/personnelSystem/info/contract', { id: w.workerId })}>去签订</Link>
      </Can>
    ),
    training: (
      <Can call={trainWorkers}>
        <button type="button" className="zg-bare zg-link" onClick={onTrain}>
          去登记
        </button>
      </Can>
    ),
    cert: (
      <Can call={saveCert}>
        <Link to={hrefOf('/personnelSystem/info/certificate', { id: w.workerId })}>去补证</Link>
      </Can>
    ),
    payCard: (
      <Can call={setAccount}>
        <button type="button" className="zg-bare zg-link" onClick={onAccount}>
          去设置
        </button>
      </Can>
    ),
  }
  return (
    <div className="per-stay-page">
      <section className="zg-card wide" aria-label="能否上岗">
        <div className="per-badge">
          <div className="per-photo">{w.headImage ? <Thumb src={w.headImage} name={w.name} width={104} height={130} /> : '无照片'}</div>
          <div>
            <h2>
              {w.name}
              {stay.isTeamLeader && (
                <Tag tone="running" icon={false}>
                  班组长
                </Tag>
              )}
            </h2>
            <div>
              <GenderAge gender={w.gender} age={w.age} /> 岁 · {w.nationName ?? '民族未填'} · {stay.workRoleName}
            </div>
            <div className="zg-2">{stay.projectName}</div>
            <div className="zg-above">
              证件号码 <Masked value={w.idCardNumber} label="证件号码" {...reveal('idCardNumber')} />
            </div>
            <div>
              手机 <Masked value={phone(w.cellPhone)} label="手机号码" {...reveal('cellPhone')} />
            </div>
          </div>
          <div className="per-verdict">
            <strong className={mayWork ? 'tone-fine' : 'tone-danger'}>
              {stay.stationed === stations.left ? '已退场' : mayWork ? '可以上岗' : '不能上岗'}
            </strong>
            <div className="zg-2">
              {stay.stationed === stations.left
                ? `${stay.exitTime}，${stay.exitReasonName ?? '原因未填'}`
                : stay.formalStatus === formalStates.paused
                  ? '暂停作业，门禁已收回'
                  : `进场条件 ${met} / 7`}
            </div>
            <div className="zg-above">
              特种证 <LicenceWord row={stay} />
            </div>
          </div>
        </div>
        <div className="per-seven">
          {stay.conditions.map((c) => (
            <div key={c.code} className={c.met ? '' : 'off'}>
              <div>
                {c.met ? <CheckCircleFilled className="tone-fine" /> : <CloseCircleFilled className="tone-danger" />} {c.name}
              </div>
              <div className="zg-2 zg-small">
                {c.remark} {!c.met && stay.stationed === stations.present && mend[c.code]}
              </div>
            </div>
          ))}
        </div>
        {stay.stationed === stations.present && stay.formalStatus !== formalStates.formal && stay.lacking && stay.lacking.length > 0 && (
          <Notice tone="warning">
            转正式还要补齐：
            <LackingFields names={stay.lacking} workerId={w.workerId} onTerms={onTerms} />
          </Notice>
        )}
      </section>
      <Card
        title="用工"
        remark={stay.projectName}
        actions={
          stay.stationed === stations.present &&
          w.hold !== 'former' && (
            <Can call={setTerms}>
              <button type="button" className="zg-bare zg-link" onClick={onTerms}>
                编辑
              </button>
            </Can>
          )
        }
      >
        <Pairs
          items={[
            { label: '单位', value: stay.corpName },
            { label: '班组', value: stay.teamName },
            { label: stay.workRole === workRoles.manager ? '岗位' : '工种', value: stay.workTypeName },
            { label: '进场时间', value: stay.entryTime },
            { label: '计酬方式', value: stay.paymentTypeName },
            { label: '工价', value: priceWords(stay.unitPriceCents, stay.paymentType) },
            {
              label: '工伤或意外险',
              value:
                stay.hasBuyInsurance === null ? (
                  <span className="zg-2">尚未登记</span>
                ) : stay.hasBuyInsurance ? (
                  '已参加'
                ) : (
                  <span className="tone-danger">未参加</span>
                ),
            },
            { label: '考勤卡号', value: stay.cardNumber },
            { label: '门禁', value: stay.attendEnabled ? '已授权' : '未授权' },
          ]}
        />
      </Card>
      <Card title="工资账户" remark="一人一卡，户名同姓名">
        <Pairs
          items={[
            {
              label: '卡号',
              value: stay.payRollBankCardNumber ? (
                <Masked value={stay.payRollBankCardNumber} label="工资卡号" {...reveal('payRollBankCardNumber')} />
              ) : null,
            },
            { label: '开户行', value: stay.payRollBankName },
            { label: '联行号', value: stay.bankLinkNumber },
          ]}
        />
        {!stay.payRollBankCardNumber && stay.workRole === workRoles.worker && (
          <Notice tone="warning">未登记工资卡，不能转正式，也收不到代发工资</Notice>
        )}
        {stay.payRollBankCardNumber && <AccountCheck id={stay.id} />}
      </Card>
      <Card title="本月考勤" remark={`${stay.days.filter((d) => d.firstIn).length} 天有入场记录`} flush>
        <Month days={stay.days} />
      </Card>
      <Card title="最近通行" remark={stay.passes.length ? `最近 ${stay.passes.length} 次` : ''} flush>
        {stay.passes.length === 0 ? (
          <Empty small text="没有通行记录" />
        ) : (
          <table className="per-simple">
            <tbody>
              {stay.passes.map((p) => (
                <tr key={p.id}>
                  <td className="zg-num">{p.time}</td>
                  <td>{p.direction === directions.in ? '入场' : p.direction === directions.out ? '出场' : '--'}</td>
                  <td className="zg-2">{p.terminal}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
      <Card title="教育培训" flush>
        {stay.trainings.length === 0 ? (
          <Empty small text={stay.entryTrained ? '已完成入场教育，未登记学时' : '尚未登记入场教育'} />
        ) : (
          <table className="per-simple">
            <tbody>
              {stay.trainings.map((t) => (
                <tr key={t.id}>
                  <td>{t.typeName}</td>
                  <td className="zg-num">{t.trainDate}</td>
                  <td>{t.hours} 学时</td>
                  <td>{t.score === null ? '--' : `${t.score} 分`}</td>
                  <td>{t.passed ? '合格' : <span className="tone-danger">不合格</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
      <Card title="进退场记录" remark="本项目" flush>
        <table className="per-simple">
          <tbody>
            {stay.history.map((h) => (
              <tr key={h.id}>
                <td>{h.type === entryExits.entry ? <Tag tone="fine">进场</Tag> : <Tag>退场</Tag>}</td>
                <td className="zg-num">{h.date}</td>
                <td>{h.reasonName ?? '--'}</td>
                <td className="zg-2">{h.sourceName}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
    </div>
  )
}

/** Current month, weeks from Monday; days before entry or in the future are empty. */
function Month({ days }: { days: StayDetail['days'] }) {
  const today = day(Date.now())
  const first = `${today.slice(0, 8)}01`
  const lead = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7
  const length = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 0)).getUTCDate()
  const byDay = new Map(days.map((d) => [d.day, d]))
  return (
    <div className="per-month">
      {['一', '二', '三', '四', '五', '六', '日'].map((word) => (
        <div key={word} className="head">
          {word}
        </div>
      ))}
      {Array.from({ length: lead }, (_, i) => (
        <div key={`lead-${i}`} className="lead" />
      ))}
      {Array.from({ length }, (_, i) => {
        const date = `${today.slice(0, 8)}${String(i + 1).padStart(2, '0')}`
        const d = byDay.get(date)
        const late = d?.results.includes(2)
        return (
          <div key={date} className={d?.firstIn ? (late ? 'late' : 'came') : ''}>
            <div className="zg-2">{i + 1}</div>
            {d?.firstIn ? (
              <div className="zg-num">
                {d.firstIn}
                {late && ' 迟'}
              </div>
            ) : (
              d && <div className="zg-2">{absenceWord(d)}</div>
            )}
          </div>
        )
      })}
    </div>
  )
}

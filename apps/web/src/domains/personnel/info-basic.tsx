import { realNames, residentId } from '@zhugong/contract/personnel/codes'
import { consentKinds, realNameStates } from '@zhugong/contract/personnel/rules'
import { isHeld } from '@zhugong/contract/personnel/worker-model'
import {
  getWorkerBase,
  updateWorker,
  updateWorkerBase,
  verifyWorker,
  workerDetailInfo,
  workerProjects,
} from '@zhugong/contract/personnel/workers'
import { Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, ErrorPanel, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day, phone } from '#kit/format.ts'
import { Choice, DayInput, LongText } from '#kit/inputs.tsx'
import { useGroupType } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { LackingFields } from './formal-field.tsx'
import { editFieldOf } from './formal-words.ts'
import { StayTag } from './words.tsx'

const { Field, useValue } = formOf(verifyWorker, updateWorkerBase)

/** Identity and contact of a person, and family contact. */
export default function InfoBasic() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const read = useCall(workerDetailInfo, { params: { id }, query: {} }, { quiet: true, staleMs: 15_000 })
  const bound = useCall(workerProjects, { params: { id } }, { quiet: true, staleMs: 15_000 })
  const [correcting, setCorrecting] = useState(false)
  const [verifying, setVerifying] = useState(false)
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const w = read.data
  if (!w) return <DetailSkeleton />
  const current = isHeld(w.hold)
  const edit = current && (
    <Can call={updateWorker}>
      <button type="button" className="zg-bare zg-link" onClick={() => go('/personListEdit', { id })}>
        编辑
      </button>
    </Can>
  )
  return (
    <>
      {!current && <Notice tone="info">已不在本单位的项目在场，只显示在场期间登记的资料</Notice>}
      {current && w.incomplete.length > 0 && (
        <Notice
          tone="warning"
          actions={
            <Can call={updateWorker}>
              <Link to={hrefOf('/personListEdit', { id, field: editFieldOf(w.incomplete[0] ?? '') })}>去补齐</Link>
            </Can>
          }
        >
          转正式前还要补齐：
          <LackingFields names={w.incomplete} workerId={id} />
        </Notice>
      )}
      <Card
        title="身份"
        remark={
          w.realNameState === realNames.matched
            ? '实名核验一致'
            : `实名核验：${realNameStates[w.realNameState as keyof typeof realNameStates] ?? '未核验'}`
        }
        actions={
          current && (
            <Can call={updateWorker}>
              <button type="button" className="zg-bare zg-link" onClick={() => setVerifying(true)}>
                实名核验
              </button>
              <button type="button" className="zg-bare zg-link zg-left-12" onClick={() => setCorrecting(true)}>
                更正身份
              </button>
            </Can>
          )
        }
      >
        <Pairs
          items={[
            { label: '姓名', value: w.name },
            { label: '证件类型', value: w.idCardTypeName },
            { label: '证件号码', value: w.idCardNumber },
            { label: '性别', value: w.genderName },
            w.birthday ? { label: '出生日期', value: `${w.birthday}（${w.age} 岁）` } : { label: '年龄', value: `${w.age} 岁` },
            { label: '籍贯', value: w.birthPlaceName },
            { label: '民族', value: w.nationName },
            { label: '发证机关', value: w.grantOrg },
            { label: '证件有效期', value: w.startDate ? `${w.startDate} 至 ${w.expiryDate ?? '--'}` : null },
            { label: '住址', value: w.address, wide: true },
          ]}
        />
      </Card>
      <Card title="证件照片" remark="证件正反面只对有查看明文权限的人显示" actions={edit}>
        <div className="zg-row zg-gap-24">
          {(
            [
              ['证件头像', w.headImage, 72],
              ['证件正面', w.positiveIdCardImage, 148],
              ['证件反面', w.negativeIdCardImage, 148],
              ['现场照片', w.facePhoto, 72],
            ] as const
          ).map(([label, src, width]) => (
            <div key={label}>
              <div className="zg-2 zg-below-4">{label}</div>
              {src ? <Thumb src={src} name={label} width={width} height={96} /> : <span className="zg-2">未上传</span>}
            </div>
          ))}
        </div>
      </Card>
      <Card title="联系与个人" actions={edit}>
        <Pairs
          items={[
            { label: '手机', value: w.cellPhone ? phone(w.cellPhone) : null },
            { label: '紧急联系人', value: w.urgentLinkMan },
            { label: '紧急联系电话', value: w.urgentLinkManPhone ? phone(w.urgentLinkManPhone) : null },
            { label: '文化程度', value: w.cultureLevelName },
            { label: '当前工种', value: w.workTypeName },
            { label: '技能等级', value: w.skillLevelName },
            { label: '当前聘用企业', value: w.workCorpName },
            { label: '开始从业日期', value: w.workDate },
            { label: '有无重大病史', value: w.hasBadMedicalHistory === null ? null : w.hasBadMedicalHistory ? '有' : '无' },
            { label: '政治面貌', value: w.politicsName },
            { label: '婚姻状况', value: w.maritalStatusName },
            { label: '加入工会', value: w.isJoined === null ? null : w.isJoined ? `${w.joinedTime ?? ''} 加入` : '未加入' },
            { label: '特长', value: w.specialty, wide: true },
          ]}
        />
      </Card>
      <Card title="告知与同意" flush actions={edit}>
        <table className="per-simple">
          <thead>
            <tr>
              <th>用途</th>
              <th>答复</th>
              <th>方式</th>
              <th>版本</th>
              <th>时间</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(consentKinds).map(([kind, name]) => {
              const c = w.consents.find((one) => one.kind === kind)
              return (
                <tr key={kind}>
                  <td>{name}</td>
                  <td>
                    {c ? (
                      <Tag tone={c.state === '同意' ? 'fine' : 'neutral'}>{c.state}</Tag>
                    ) : (
                      <Tag tone="running" icon={false}>
                        待签
                      </Tag>
                    )}
                  </td>
                  <td>{c?.file ? <Thumb src={c.file} name={`${name}签名`} width={80} height={30} /> : (c?.way ?? '--')}</td>
                  <td>{c?.version ?? '--'}</td>
                  <td className="zg-num">{c?.time || '--'}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Card>
      <Card title="所属项目" remark={bound.data && `${bound.data.total} 段`} flush>
        <table className="per-simple">
          <tbody>
            {(bound.data?.list ?? []).map((s) => (
              <tr key={s.id}>
                <td>
                  <Link to={hrefOf('/personListDetails', { id: s.id, workerId: id })}>{s.projectName}</Link>
                </td>
                <td>{[s.corpName, s.teamName].filter(Boolean).join(' · ') || '--'}</td>
                <td>{s.workTypeName}</td>
                <td className="zg-num zg-nowrap">
                  {day(s.entryTime)} 至 {s.exitTime ? day(s.exitTime) : '今'}
                </td>
                <td>
                  <StayTag formalStatus={s.formalStatus} stationed={s.stationed} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      {verifying && <VerifyDrawer id={id} onClose={() => setVerifying(false)} />}
      {correcting && <CorrectDrawer id={id} onClose={() => setCorrecting(false)} />}
    </>
  )
}

/** 实名核验: reads the ID card again and compares it with the file; the server records the basis. */
function VerifyDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const base = useCall(getWorkerBase, { params: { id } }, { staleMs: 0 })
  const act = useAct(verifyWorker, { success: '核验结果已登记' })
  const isPlatform = useGroupType() === 0
  if (!base.data) return null
  return (
    <FormDrawer
      open
      act={act}
      title="实名核验"
      remark={base.data.name}
      initial={{ workerId: id, way: isPlatform ? 'operator' : 'card', version: base.data.version }}
      onClose={onClose}
    >
      {isPlatform ? (
        <>
          <Field name="state" label="核验结果">
            <Choice
              options={Object.entries(realNameStates).flatMap(([value, label]) =>
                value === realNames.unchecked ? [] : [{ value, label }],
              )}
            />
          </Field>
          <Field name="reason" label="核验依据" span="all" help="记入操作日志">
            <LongText maxLength={200} />
          </Field>
        </>
      ) : (
        <>
          <Field name="name" label="证件上的姓名" help="读卡或照证件原件录入">
            <Input maxLength={50} />
          </Field>
          <Field name="idCardNumber" label="证件上的号码" help={`与档案 ${base.data.idCardNumber} 核对`}>
            <Input maxLength={30} />
          </Field>
        </>
      )}
    </FormDrawer>
  )
}

/** 更正身份: a new name or number makes the real-name check start again. */
function CorrectDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const base = useCall(getWorkerBase, { params: { id } }, { staleMs: 0 })
  const act = useAct(updateWorkerBase, { success: '身份已更正' })
  if (!base.data) return null
  return (
    <FormDrawer
      open
      act={act}
      title="更正身份"
      remark={base.data.name}
      initial={{
        name: base.data.name,
        idCardType: base.data.idCardType,
        version: base.data.version,
      }}
      input={(body) => ({ params: { id }, body })}
      onClose={onClose}
    >
      <CorrectFields number={base.data.idCardNumber} />
    </FormDrawer>
  )
}

function CorrectFields({ number }: { number: string }) {
  const dicts = useDicts('idCardType', 'gender')
  const type = useValue('idCardType')
  return (
    <>
      <Field name="name" label="姓名" required>
        <Input maxLength={50} />
      </Field>
      <Field name="idCardType" label="证件类型">
        <Choice clear={false} options={dicts.options('idCardType')} />
      </Field>
      <Field name="idCardNumber" label="证件号码" help={`现为 ${number}，不填则不变`}>
        <Input maxLength={30} />
      </Field>
      {type !== residentId && (
        <>
          <Field name="gender" label="性别">
            <Choice options={dicts.options('gender')} />
          </Field>
          <Field name="birthday" label="出生日期">
            <DayInput />
          </Field>
        </>
      )}
      <Field name="reason" label="事由" span="all" help="记入操作日志">
        <LongText maxLength={200} />
      </Field>
    </>
  )
}

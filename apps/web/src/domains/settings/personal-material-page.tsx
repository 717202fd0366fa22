import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { realNameStates } from '@zhugong/contract/personnel/rules'
import { agreeToMyStay, type getMyPerson, listMyRecords, openMyPerson, withdrawMyConsent } from '@zhugong/contract/settings/my-person'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { daysUntil, time } from '#kit/format.ts'
import { saveBlob } from '#kit/http.ts'
import { Thumb } from '#kit/viewers.tsx'
import { EraseDrawer, RenewDrawer } from './ask-drawers.tsx'
import { NoPerson } from './link-person.tsx'
import { ownDataText } from './own-data.ts'
import { useOwnFile } from './use-own-file.ts'
import './settings.css'

const { Field } = formOf(agreeToMyStay, openMyPerson)

type Person = NonNullable<OutputFor<typeof getMyPerson>['person']>
type Opened = OutputFor<typeof openMyPerson>

/** Personal data held by the platform, access to it, and withdrawal of consent. */
export default function PersonalMaterialPage() {
  const { person, known, error, refetch } = useOwnFile()
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!known) return <DetailSkeleton />
  if (!person) return <NoPerson shows="这里列出平台保存的本人信息、授权情况，以及谁查看过" />
  return (
    <>
      <Entered stays={person.stays} />
      <Papers person={person} />
      <Consents person={person} />
      <Looks looks={person.looks} />
      <Erasure />
    </>
  )
}

/** Entries registered by sites with the user's name and ID number; the user must confirm before the site may see more data. */
function Entered({ stays }: { stays: Person['stays'] }) {
  const [agreeing, setAgreeing] = useState<Person['stays'][number]>()
  return (
    <>
      {stays
        .filter((one) => !one.confirmed)
        .map((one) => (
          <Notice key={one.id} tone="warning" actions={<Button onClick={() => setAgreeing(one)}>确认进场</Button>}>
            {one.projectName} 已凭姓名和证件号码为您登记进场（{one.entryTime}
            ）。您在该项目过闸或在此确认后，该项目才能查看您的电话、住址等资料；不是您本人办理的，请联系该项目劳务员
          </Notice>
        ))}
      {agreeing && <AgreeDrawer stay={agreeing} onClose={() => setAgreeing(undefined)} />}
    </>
  )
}

function AgreeDrawer({ stay, onClose }: { stay: Person['stays'][number]; onClose: () => void }) {
  const act = useAct(agreeToMyStay, { success: '已确认进场' })
  return (
    <FormDrawer
      open
      act={act}
      input={(body) => ({ params: { id: stay.id }, body })}
      title="确认进场"
      remark={stay.projectName}
      narrow
      width={440}
      onClose={onClose}
      saveText="确认"
    >
      <Field name="password" label="登录密码" span="all">
        <Input.Password autoComplete="current-password" />
      </Field>
    </FormDrawer>
  )
}

function Papers({ person: p }: { person: Person }) {
  const [renewing, setRenewing] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  const [open, setOpen] = useState<Opened>()
  const left = daysUntil(p.expiryDate)
  const pictures = open ? [open.positiveIdCardImage, open.negativeIdCardImage, open.facePhoto].filter((one) => one !== null) : []
  return (
    <Card
      title="证件与联系方式"
      remark={open ? '完整信息，离开本页后恢复遮盖' : '已遮盖，输入登录密码后显示完整信息、可下载本人数据'}
      actions={
        open ? (
          <>
            <TakeAlong person={p} opened={open} />
            <Button onClick={() => setOpen(undefined)}>遮盖</Button>
          </>
        ) : (
          <>
            <Button onClick={() => setRenewing(true)}>更新证件</Button>
            <Button onClick={() => setIsOpen(true)}>显示完整信息</Button>
          </>
        )
      }
    >
      {left !== undefined && left <= 90 && (
        <Notice tone={left < 0 ? 'danger' : 'warning'}>证件有效期至 {p.expiryDate}，换证后请在此更新证件</Notice>
      )}
      <Pairs
        items={[
          { label: '姓名', value: `${p.name}，${p.genderName ?? ''}，${p.age} 岁` },
          { label: p.idCardTypeName ?? '证件', value: open?.idCardNumber ?? p.idCardMask },
          { label: '有效期', value: [p.startDate, p.expiryDate ?? '长期'].filter(Boolean).join(' 至 ') },
          { label: '民族', value: p.nationName },
          { label: '手机', value: open?.cellPhone ?? p.cellPhoneMask },
          { label: '紧急联系人', value: [p.urgentLinkMan, open?.urgentLinkManPhone ?? p.urgentLinkManPhoneMask].filter(Boolean).join(' ') },
          { label: '工种', value: p.workTypeName },
          { label: '实名核验', value: realNameStates[p.realNameState as keyof typeof realNameStates] },
          { label: '住址', value: open?.address ?? (p.hasAddress ? '已登记' : null), wide: true },
          {
            label: '现在的项目',
            value: p.stays
              .map((s) => `${s.projectName}（${[s.corpName, s.teamName].filter(Boolean).join(' · ')}，${s.entryTime} 进场）`)
              .join('；'),
            wide: true,
          },
        ]}
      />
      {pictures.length > 0 && (
        <div className="set-pictures">
          {pictures.map((one) => (
            <Thumb key={one} src={one} name="证件" width={160} height={100} />
          ))}
        </div>
      )}
      <p className="zg-2">信息有误请向所在项目的劳务员提出，由其核对原件后更正。</p>
      {renewing && <RenewDrawer onClose={() => setRenewing(false)} />}
      {isOpen && <OpenDrawer onOpen={setOpen} onClose={() => setIsOpen(false)} />}
    </Card>
  )
}

/** Requests erasure after leaving, as far as the law permits. */
function Erasure() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Card title="删除个人资料" remark="退场后可以申请；依法须保留的资料会逐项说明">
      <Button danger onClick={() => setIsOpen(true)}>
        申请删除
      </Button>
      {isOpen && <EraseDrawer onClose={() => setIsOpen(false)} />}
    </Card>
  )
}

/** Downloads the user's data after identity verification. */
function TakeAlong({ person, opened }: { person: Person; opened: Opened }) {
  const career = useCall(listMyRecords, {}, { quiet: true })
  const at = time(Date.now())
  return (
    <Button
      disabled={!career.data}
      onClick={() => {
        if (!career.data) return
        const text = ownDataText(person, opened, career.data, at)
        saveBlob({ blob: new Blob(['\uFEFF', text], { type: 'text/plain;charset=utf-8' }), fileName: `本人数据_${at.slice(0, 10)}.txt` })
      }}
    >
      下载本人数据
    </Button>
  )
}

function OpenDrawer({ onOpen, onClose }: { onOpen: (opened: Opened) => void; onClose: () => void }) {
  const act = useAct(openMyPerson, { success: false, refreshes: [], onDone: onOpen })
  return (
    <FormDrawer open act={act} title="显示完整信息" narrow width={420} onClose={onClose} saveText="显示">
      <Field name="password" label="登录密码" span="all">
        <Input.Password autoComplete="current-password" />
      </Field>
    </FormDrawer>
  )
}

const purposes: Readonly<Record<string, string>> = { personal: '实名登记与考勤', face: '人脸通行' }

function Consents({ person }: { person: Person }) {
  const [taking, setTaking] = useState(false)
  return (
    <Card title="授权" remark="人脸只在本人同意期间保存和下发门禁" flush>
      {person.consents.length === 0 && <Empty small text="没有授权记录" />}
      {person.consents.map((one) => (
        <div className="set-line" key={one.kind}>
          <span className="what">{purposes[one.kind] ?? one.kind}</span>
          <span>
            <Tag tone={one.state === '同意' ? 'fine' : 'neutral'}>{one.state}</Tag> {one.time}，{one.way}
          </span>
          <div className="acts">
            {one.kind === 'face' && one.state === '同意' && (
              <Button danger onClick={() => setTaking(true)}>
                撤回授权
              </Button>
            )}
          </div>
        </div>
      ))}
      {taking && <WithdrawDrawer onClose={() => setTaking(false)} />}
    </Card>
  )
}

function WithdrawDrawer({ onClose }: { onClose: () => void }) {
  const act = useAct(withdrawMyConsent, { success: '已撤回，人脸照片已删除，门禁随后移除' })
  return (
    <FormDrawer open act={act} title="撤回人脸授权" initial={{ kind: 'face' }} narrow width={440} onClose={onClose} saveText="撤回授权">
      <div className="zg-span-all">
        <Notice tone="warning">
          现场照片立即删除，各门禁上的人脸随后移除，不能再刷脸进场；请先向劳务员领取通行卡。恢复须重新签署授权并采集。
        </Notice>
      </div>
      <Field name="password" label="登录密码" span="all">
        <Input.Password autoComplete="current-password" />
      </Field>
    </FormDrawer>
  )
}

function Looks({ looks }: { looks: Person['looks'] }) {
  return (
    <Card title="谁看过我的信息" remark="最近 100 次；监管机构只显示单位" flush>
      {looks.length === 0 ? (
        <Empty small text="没有查看记录" />
      ) : (
        <div className="set-scroll">
          <table className="set-table">
            <thead>
              <tr>
                <th>时间</th>
                <th>单位</th>
                <th>查看人</th>
                <th>内容与事由</th>
              </tr>
            </thead>
            <tbody>
              {looks.map((one) => (
                <tr key={one.id}>
                  <td>{one.at}</td>
                  <td>{one.groupName}</td>
                  <td>{one.viewer}</td>
                  <td>{one.summary}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

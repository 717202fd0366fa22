import { getMyAccount, passwordReminderDays } from '@zhugong/contract/identity/my-account'
import { unlinkMyPerson } from '@zhugong/contract/settings/my-person'
import { Button } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ContactDialog, PasswordDialog } from '#domains/identity/public.tsx'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { Habits } from './habits.tsx'
import { LinkPersonDrawer } from './link-person.tsx'
import type { Account } from './my-account.ts'
import { MyJoins } from './my-joins.tsx'
import { MySessions, MySignIns } from './my-sessions.tsx'
import { NoticeMatrix } from './notice-matrix.tsx'
import { SecondFactorLine } from './second-factor.tsx'
import './settings.css'

/** The user's account: security, memberships and notices. */
export default function PersonalUserPage() {
  const { data, error, refetch } = useCall(getMyAccount, {}, { quiet: true, staleMs: 0 })
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return (
    <>
      <MyJoins joins={data.joins} />
      <Identity account={data} />
      <Safety account={data} />
      <MySessions />
      <Habits />
      <NoticeMatrix key={JSON.stringify(data.muted)} account={data} />
      <MySignIns />
    </>
  )
}

function Identity({ account }: { account: Account }) {
  const navigate = useNavigate()
  const [linking, setLinking] = useState(false)
  const unlink = useAct(unlinkMyPerson, { success: '已解除关联' })
  const ask = () =>
    unlink.afterRequesting(
      {
        thing: '解除与实名档案的关联',
        consequence: '个人证书、合同等页不再显示；档案本身不受影响，可以再次关联。',
        verb: '解除关联',
        keep: '保留',
      },
      {},
    )
  return (
    <Card title="账号" remark={`${account.name} · ${account.account}`} flush>
      <dl>
        <div className="set-line">
          <dt>实名档案</dt>
          <dd>{account.personName ? `已关联 ${account.personName}` : '未关联：证书、从业记录、合同等页没有内容'}</dd>
          <dd className="acts">
            {account.personName ? (
              <Button onClick={() => void ask()}>解除关联</Button>
            ) : (
              <Button onClick={() => setLinking(true)}>关联我的实名档案</Button>
            )}
          </dd>
        </div>
        {account.groups.map((group) => (
          <div className="set-line" key={group.id}>
            <dt>
              {group.name}
              {group.current && (
                <>
                  {' '}
                  <Tag tone="running">当前</Tag>
                </>
              )}
            </dt>
            <dd>
              {group.roles.map((role) => (role.deadline ? `${role.name}（至 ${role.deadline}）` : role.name)).join('、') || '没有角色'}
              {group.isDefault && <span className="zg-2">，登录后默认进入</span>}
            </dd>
            <dd className={group.enabled ? 'zg-2' : 'tone-danger'}>
              {group.enabled ? (group.deadline ? `授权至 ${group.deadline}` : '长期') : '已停用或到期'}
            </dd>
          </div>
        ))}
      </dl>
      {account.groups.length > 1 && (
        <div className="zg-card-body">
          <Button onClick={() => void navigate('/index')}>切换身份或默认身份</Button>
        </div>
      )}
      {linking && <LinkPersonDrawer onClose={() => setLinking(false)} />}
    </Card>
  )
}

function Safety({ account }: { account: Account }) {
  const [open, setOpen] = useState<'password' | 'contact'>()
  const close = () => setOpen(undefined)
  const old = account.passwordAgeDays >= passwordReminderDays
  return (
    <Card title="安全" flush>
      {old && (
        <Notice tone="warning" actions={<Button onClick={() => setOpen('password')}>修改密码</Button>}>
          密码已使用 {account.passwordAgeDays} 天，建议每 {passwordReminderDays} 天更换一次
        </Notice>
      )}
      <dl>
        <div className="set-line">
          <dt>登录密码</dt>
          <dd>
            {account.passwordTime} 设置，已用 {account.passwordAgeDays} 天
          </dd>
          <dd className="acts">
            <Button onClick={() => setOpen('password')}>修改密码</Button>
          </dd>
        </div>
        <SecondFactorLine account={account} />
        <div className="set-line">
          <dt>手机与邮箱</dt>
          <dd>
            {account.phoneMask ?? '未登记手机'}，{account.emailMask ?? '未登记邮箱'}
            <div className="zg-2">
              {account.ready.sms || account.ready.mail ? '忘记密码时验证码发送到这里' : '本平台未接入短信和邮件，忘记密码须由管理员重置'}
            </div>
          </dd>
          <dd className="acts">
            <Button onClick={() => setOpen('contact')}>修改</Button>
          </dd>
        </div>
      </dl>
      {open === 'password' && <PasswordDialog forced={false} onClose={close} />}
      {open === 'contact' && <ContactDialog onClose={close} />}
    </Card>
  )
}

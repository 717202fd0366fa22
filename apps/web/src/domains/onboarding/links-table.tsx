import { groupsBelow } from '@zhugong/contract/access/admins'
import {
  type AdminLink,
  changeLink,
  createLink,
  linkStates,
  listLinks,
  longestLinkDays,
  usualLinkDays,
} from '@zhugong/contract/onboarding/links'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, Empty, Tag } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, NumberInput } from '#kit/inputs.tsx'
import { notify } from '#kit/notify.ts'
import { PageModal } from '#kit/overlay.tsx'

const { Field } = formOf(createLink, changeLink)

const tones = { open: 'running', used: 'fine', expired: 'warning', revoked: 'neutral' } as const
const addressOf = (token: string): string => `${window.location.origin}/invite#${token}`

/** Invitation links sent by this group, of one workbook or all: who has not signed in yet, and a button to send again. */
export function LinksTable({ openingId }: { openingId: string }) {
  const may = useCan(listLinks)
  const { data } = useCall(listLinks, { query: { size: 20, openingId: openingId || undefined } }, { quiet: true, enabled: may })
  const [inviting, setInviting] = useState(false)
  const [shown, setShown] = useState<{ name: string; token: string }>()
  if (!may) return null
  return (
    <Card
      title="管理员邀请链接"
      remark={openingId ? '本次开通' : '最近 20 个'}
      actions={
        <Can call={createLink}>
          <Button size="small" onClick={() => setInviting(true)}>
            邀请管理员
          </Button>
        </Can>
      }
      flush
    >
      {data?.list.length === 0 && <Empty small text="还没有邀请链接" />}
      <ul className="onb-links">
        {data?.list.map((link) => (
          <LinkLine key={link.id} link={link} onToken={(token) => setShown({ name: link.name, token })} />
        ))}
      </ul>
      {inviting && <InviteDrawer onClose={() => setInviting(false)} onToken={(name, token) => setShown({ name, token })} />}
      {shown && <Shown {...shown} onClose={() => setShown(undefined)} />}
    </Card>
  )
}

function LinkLine({ link, onToken }: { link: AdminLink; onToken: (token: string) => void }) {
  const act = useAct(changeLink, { success: false, onDone: ({ token }) => (token ? onToken(token) : undefined) })
  const { id, version } = link
  return (
    <li>
      <span className="what">
        <b>{link.groupName}</b>
        <span className="zg-2">
          {link.name} {link.phone ?? ''} ·{' '}
          {link.usedTime ? `${link.usedBy ?? ''} ${link.usedTime.slice(5, 16)} 使用` : `至 ${link.expiresTime.slice(5, 16)}`}
        </span>
      </span>
      <Tag tone={tones[link.state]}>{linkStates[link.state]}</Tag>
      {link.state !== 'used' && (
        <Can call={changeLink}>
          <Button
            size="small"
            loading={act.running}
            onClick={() => void act.run({ params: { id }, body: { action: 'renew', days: usualLinkDays, version } })}
          >
            重发
          </Button>
        </Can>
      )}
      {link.state === 'open' && (
        <Can call={changeLink}>
          <Button
            size="small"
            danger
            onClick={() =>
              void act.afterRequesting(
                {
                  thing: `撤销给 ${link.name} 的邀请链接`,
                  consequence: '对方打开时会看到链接无效；之后可以重发。',
                  verb: '撤销',
                  keep: '保留',
                },
                { params: { id }, body: { action: 'revoke', version } },
              )
            }
          >
            撤销
          </Button>
        </Can>
      )}
    </li>
  )
}

function InviteDrawer({ onClose, onToken }: { onClose: () => void; onToken: (name: string, token: string) => void }) {
  const act = useAct(createLink, { success: false, onDone: ({ token }, { body }) => onToken(body.name, token) })
  const groups = useCall(groupsBelow, { query: {} }, { quiet: true })
  return (
    <FormDrawer
      open
      narrow
      width={420}
      act={act}
      title="邀请管理员"
      saveText="生成链接"
      initial={{ days: usualLinkDays }}
      input={(body) => ({ body })}
      onClose={onClose}
    >
      <Field name="groupId" label="管理的机构或项目">
        <Choice options={(groups.data?.list ?? []).map((one) => ({ value: one.id, label: one.name }))} loading={groups.isPending} />
      </Field>
      <Field name="name" label="对方姓名">
        <Input />
      </Field>
      <Field name="phone" label="对方手机" help="只作提示，对方自己填写">
        <Input inputMode="numeric" />
      </Field>
      <Field name="days" label="有效天数">
        <NumberInput min={1} max={longestLinkDays} />
      </Field>
    </FormDrawer>
  )
}

/** The URL of a link, shown once; it can be opened once. */
function Shown({ name, token, onClose }: { name: string; token: string; onClose: () => void }) {
  const address = addressOf(token)
  const copy = () => void navigator.clipboard.writeText(address).then(() => notify.success('已复制'))
  return (
    <PageModal open width={520} title={`给 ${name} 的邀请链接`} okText="复制链接" cancelText="关闭" onOk={copy} onCancel={onClose}>
      <p>链接只能使用一次，请直接发给本人，不要发到群里：</p>
      <Input.TextArea readOnly autoSize aria-label="邀请链接" value={address} />
    </PageModal>
  )
}

import { logout } from '@zhugong/contract/identity/endpoints'
import { Button } from 'antd'
import { call } from '#kit/call.ts'
import { Empty } from '#kit/feedback.tsx'
import { useMe } from '#kit/me.ts'
import { loseSession } from '#kit/session.ts'

/** For users who may open no page: says whom to contact, instead of a redirect loop. */
export default function NoApps() {
  const { groups, info } = useMe()
  const names = groups.map((group) => group.name).join('、')
  return (
    <div style={{ paddingTop: '18vh' }}>
      <Empty text="您还没有可用的应用" hint={`${info?.name ?? ''}，请联系${names ? ` ${names} ` : '本组'}的管理员开通应用或分配角色`}>
        <Button type="primary" onClick={() => location.reload()}>
          重新检查
        </Button>
        <Button
          onClick={() => {
            void call(logout)
              .catch(() => undefined)
              .then(() => loseSession('logout'))
          }}
        >
          退出登录
        </Button>
      </Empty>
    </div>
  )
}

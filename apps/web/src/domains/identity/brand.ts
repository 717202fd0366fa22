import type { Profile } from '#kit/me.ts'

export interface Brand {
  heading: string
  /** Subtitle below the heading; empty if the deployment has none. */
  remark: string
  /** Name beside the logo; empty in a deployment without an identifier. */
  identifier: string
  tagline: string
}

const builtIn: Brand = {
  heading: '筑工',
  remark: '智慧工地与劳务实名制管理平台',
  identifier: '筑工',
  tagline: '智慧工地与劳务实名制管理平台',
}

/** Texts of the login page: those of the profile, even if empty; the built-in ones only while there is no profile. */
export function brandOf(profile: Pick<Profile, 'mainHead' | 'subHead' | 'privateCloudIdentifier'> | undefined): Brand {
  if (!profile) return builtIn
  const identifier = profile.privateCloudIdentifier
  // Both sides of the page show the deployment's own name and subtitle.
  const tagline = identifier ? profile.subHead || builtIn.tagline : ''
  return { heading: profile.mainHead || builtIn.heading, remark: profile.subHead, identifier, tagline }
}

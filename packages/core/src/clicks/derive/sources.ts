/**
 * Sites whose referrers reports count together, by channel. On the left of "=" is the name that reports show, on the right
 * are other hosts of the same source: `google.*` is google under the suffixes of countries, `*.ask.com` any host below
 * ask.com, and `com.twitter.android` an Android app. A table's second text lists sources with one host.
 *
 * Search engines and social networks are from https://github.com/matomo-org/searchengine-and-social-list (CC0), without
 * addresses that share a host with something else; assistants, apps and some newer sites were added.
 */
export const sources = {
  search: [
    `
      118700.se = foretag.118700.se webben.118700.se
      123people.com = 123people.*
      abacho.de = abacho.com abacho.co.uk se.abacho.com tr.abacho.com abacho.at abacho.fr abacho.es abacho.ch
          abacho.it
      abcsok.no = verden.abcsok.no
      allesklar.de = allesklar.at allesklar.ch
      altavista.com = altavista.de altavista.fr *.altavista.com
      arianna.libero.it = arianna.com
      ask.com = ask.reference.com askkids.com ask.co.uk *.ask.com qbyrd.com *.qbyrd.com search-results.com
          *.search-results.com searchqu.com
      baidu.com = baidu.co.th zhidao.baidu.com tieba.baidu.com news.baidu.com
      bg.setooz.com = *.setooz.com
      bing.com = *.bing.com
      blogsearch.google.com = blogsearch.google.*
      busca.orange.es = lemoteur.ke.voila.fr lemoteur.orange.fr
      buscador.terra.es = buscador.terra.cl buscador.terra.com.br
      cse.google.com = cse.google.*
      daemon-search.com = my.daemon-search.com
      dmoz.org = editors.dmoz.org
      duckduckgo.com = r.duckduckgo.com com.duckduckgo.mobile.android
      ecosia.org = com.ecosia.android
      exalead.fr = exalead.com
      fireball.de = fireball.com
      forestle.org = *.forestle.org forestle.mobi
      fr.wedoo.com = en.wedoo.com es.wedoo.com
      google.com = google.* encrypted.google.com ipv6.google.com go.google.com wwwgoogle.* gogole.* gppgle.*
          googel.* search.avg.com isearch.avg.com search.chedot.com darkoogle.com search.darkoogle.com
          search.foxtab.com gooofullsearch.com search.hiyo.com search.incredimail.com search1.incredimail.com
          search2.incredimail.com search3.incredimail.com search4.incredimail.com search.sweetim.com search.juno.com
          search.zum.com searchresults.verizon.com search.walla.co.il search.alot.com suche.gmx.net search.gmx.com
          search.incredibar.com delta-search.com search.1und1.de suche.1und1.de search.zonealarm.com
          search.leonardo.it search.dolphin-browser.jp netlavis.azione.jp search.nan.so search.smt.docomo.ne.jp
          image.search.smt.docomo.ne.jp gfsoso.com searches.safehomepage.com searches.f-secure.com
          search.f-secure.com monumentbrowser.com search.bt.com search.abv.bg search.xfinity.com
          com.google.android.googlequicksearchbox
      images.google.com = images.google.*
      images.yandex.ru = images.yandex.*
      infospace.com = dogpile.com tattoodle.com metacrawler.com webfetch.com webcrawler.com search.kiwee.com
          searches.vi-view.com search.webssearches.com search.fbdownloader.com searches3.globososo.com
          wsdsold.infospace.com search.avast.com isearch.babylon.com start.facemoods.com start.funmoods.com
          search.magentic.com search.searchcompletion.com searchmobileonline.com isearch.glarysoft.com
          search.chatzum.com home.speedbit.com search.b1.org searchya.com search.handycafe.com search.v9.com
          search.iminent.com utorrent.inspsearch.com govome.inspsearch.com
      ixquick.com = *.ixquick.com ixquick.de
      junglekey.com = junglekey.fr
      mamma.com = mamma75.mamma.com
      maps.google.com = maps.google.*
      meta.rrzn.uni-hannover.de = metager.de
      mister-wong.com = mister-wong.de
      mozbot.fr = mozbot.co.uk mozbot.com
      mysearch.com = ms114.mysearch.com ms146.mysearch.com kf.mysearch.myway.com ki.mysearch.myway.com
          search.myway.com search.mywebsearch.com
      news.google.com = news.google.*
      qualigo.at = qualigo.ch qualigo.de qualigo.nl
      qwant.com = lite.qwant.com
      req.hit-parade.com = class.hit-parade.com hit-parade.com
      ricerca.virgilio.it = ricercaimmagini.virgilio.it ricercavideo.virgilio.it ricercanews.virgilio.it virgilio.it
      s1.metacrawler.de = s2.metacrawler.de s3.metacrawler.de
      scholar.google.com = scholar.google.*
      search.aol.com = search.aol.it aolsearch.aol.com aolrecherche.aol.fr aolrecherches.aol.fr aolimages.aol.fr
          aim.search.aol.com recherche.aol.fr find.web.aol.com recherche.aol.ca aolsearch.aol.co.uk search.aol.co.uk
          sucheaol.aol.de suche.aol.de o2suche.aol.de suche.aolsvc.de aolbusqueda.aol.com.mx alicesuche.aol.de
          alicesuchet.aol.de suchet2.aol.de search.hp.my.aol.com.au search.hp.my.aol.de search.hp.my.aol.it
          search-intl.netscape.com de.aolsearch.com
      search.auone.jp = sp-search.auone.jp sp-web.search.auone.jp
      search.avira.com = search.avira.net safesearch.avira.com
      search.babylon.com = searchassist.babylon.com
      search.centrum.cz = morfeo.centrum.cz
      search.conduit.com = images.search.conduit.com
      search.excite.it = search.excite.fr search.excite.de search.excite.co.uk search.excite.es search.excite.nl
          msxml.excite.com excite.co.jp
      search.free.fr = search1-2.free.fr search1-1.free.fr
      search.goo.ne.jp = ocnsearch.goo.ne.jp
      search.ke.voila.fr = lemoteur.fr
      search.lycos.com = lycos.*
      search.nifty.com = search.azby.fmworld.net
      search.tiscali.it = search-dyn.tiscali.it hledani.tiscali.cz
      search.yahoo.co.jp = jp.hao123.com home.kingsoft.jp jwsearch.jword.jp
      search.yahoo.com = *.search.yahoo.com cade.yahoo.com one.cn.yahoo.com cercato.it search.offerbox.com
          benefind.de ys.mirostart.com *.images.yahoo.com
      searchlock.com = results.searchlock.com
      sm.cn = so.m.sm.cn sp.sm.cn yz.m.sm.cn quark.sm.cn
      so.360.cn = so.com sou.com
      sogou.com = wap.sogou.com english.sogou.com
      startpage.com = *.startpage.com
      suche.t-online.de = brisbane.t-online.de navigationshilfe.t-online.de
      toile.com = web.toile.com
      toolbarhome.com = vshare.toolbarhome.com
      vindex.nl = search.vindex.nl
      walhello.info = walhello.com walhello.de walhello.nl
      yandex.ru = yandex.* clck.yandex.* ya.ru yabs.yandex.*
      yasni.de = yasni.com yasni.co.uk yasni.ch yasni.at
      yatedo.com = yatedo.fr
      zapmeta.com = zapmeta.* *.zapmeta.com zapmetasearch.*
    `,
    `
      1.cz 1881.no acoon.de all.by allaverksamheter.se alltheinternet.com alltheweb.com alohafind.com apollo7.de
      arama.com arcor.de ariadna.elmundo.es austronaut.at blekko.com blogdigger.com blogpulse.com blogs.icerocket.com
      busca.uol.com.br cgi.search.biglobe.ne.jp chatgpt.com chercherfr.aguea.com claro-search.com coccoc.com
      crawler.com cuil.com dasoertliche.de dastelefonbuch.de dir.gigablast.com eniro.se entireweb.com eo.st
      epicsearch.in eurip.com euroseek.com everyclick.com extern.peoplecheck.de fastbrowsersearch.com findhurtig.dk
      firstsfind.com fixsuche.de flix.de fr.dir.com freespoke.com gais.cs.ccu.edu.tw geona.net gibiru.com
      gigablast.com gnadenmeer.de go.mail.ru gomeo.com google.interia.pl googlesyndicatedsearch.com goyellow.de
      gulesider.no haosou.com holmes.ge hooseek.com hotbot.com ilse.nl image.search.yahoo.co.jp
      images.search.biglobe.ne.jp info.com isodelen.se jungle-spider.de juniorsafesearch.com jyxo.1188.cz
      k9safesearch.com kagi.com karmasearch.org kataweb.it kensaq.com ko.search.need2find.com kvasir.no kwzf.net
      laban.vn latne.lv lo.st localmoxie.com lookany.com looksmart.com maailm.com meinestadt.de meta.ua metager2.de
      mojeek.com monstercrawler.com myprivatesearch.com najdi.si neti.ee nigma.ru nova.rambler.ru oceanhero.today
      only-search.com otsing.delfi.ee p.zhongsou.com paperball.de pesquisa.clix.pt pesquisa.sapo.pt picsearch.com
      plazoo.com plusnetwork.com poisk.ru presearch.com privacywall.org quendu.com recherche.francite.com
      rechercher.aliceadsl.fr riksdelen.se scour.com search.bluewin.ch search.brave.com search.ch search.com
      search.comcast.net search.daum.net search.disconnect.me search.earthlink.net search.fooooo.com
      search.freecause.com search.frontier.com search.genieo.com search.icq.com search.imesh.com search.lilo.org
      search.lookseek.com search.marginalia.nu search.nate.com search.naver.com search.peoplepc.com search.qip.ru
      search.rr.com search.seesaa.jp search.seznam.cz search.smartaddressbar.com search.smartshopping.com
      search.snap.do search.softonic.com search.toolbars.alexa.com search.trustnav.com search.winamp.com search.www.ee
      search.yam.com search.yippy.com searchalot.com searchatlas.centrum.cz searchcanvas.com searchservice.myspace.com
      searchy.co.uk sharelook.fr sm.aport.ru sm.de smart.delfi.lv soso.com sp-image.search.auone.jp sputnik.ru
      start.iplay.com startgoogle.startpagina.nl startsiden.no stract.com suche.freenet.de suche.info suche.web.de
      suchmaschine.com suchnase.de surfcanyon.com swiggle.org.uk swisscows.com szukaj.onet.pl szukaj.wp.pl talimba.com
      tarmot.com teoma.com tixuma.de torry.io trouvez.com trovarapido.com trusted-search.com tusksearch.com
      twingly.com url.org videa.seznam.cz video.search.yahoo.co.jp video.so-net.ne.jp videosearch.nifty.com vinden.nl
      vuhuv.com web.canoe.ca web.volny.cz weborama.fr websearch.com websearch.cs.com websearch.rakuten.co.jp witch.de
      woopie.jp x-recherche.com yellowmap.de yep.com yongzin.com yougoo.fr zoek.nl zoeken.nl zoohoo.cz zoznam.sk
      zxuso.com
    `,
  ],
  social: [
    `
      bsky.app = skyfeed.app go.bsky.app
      discord.com = discord.gg discordapp.com
      disqus.com = disq.us
      facebook.com = fb.me fb.com messenger.com m.me com.facebook.katana com.facebook.orca com.facebook.lite
      instagram.com = com.instagram.android
      last.fm = lastfm.ru lastfm.de lastfm.es lastfm.fr lastfm.it lastfm.jp lastfm.pl lastfm.com.br lastfm.se
          lastfm.com.tr
      linkedin.com = lnkd.in com.linkedin.android
      livejournal.ru = livejournal.com
      mastodon.social = mastodon.cloud mastodon.technology mastodon.xyz mastodon.at mastodon.art mamot.fr pawoo.net
          mstdn.io mstdn.jp friends.nico ro-mastodon.puyo.jp quey.org botsin.space social.tchncs.de knzk.me
          mastodont.cat bitcoinhackers.org fosstodon.org chaos.social cybre.space vis.social typo.social
          front-end.social hachyderm.io mastodon.online newsie.social mstdn.social indieweb.social sfba.social
          mas.to mstdn.party c.im mastodonapp.uk universeodon.com social.vivaldi.net ohai.social toot.community
          masto.ai mastodon.scot mastodon.world mastodon.nz graphics.social org.joinmastodon.android mastodon.eus
          mastodon.jalgi.eus tkm.eus
      ok.ru = odnoklassniki.ru
      pinterest.com = pinterest.ca pinterest.ch pinterest.co.uk pinterest.com.au pinterest.de pinterest.dk
          pinterest.es pinterest.fr pinterest.ie pinterest.info pinterest.jp pinterest.nz pinterest.pt pinterest.se
          at.pinterest.com ch.pinterest.com cl.pinterest.com co.pinterest.com dk.pinterest.com es.pinterest.com
          hu.pinterest.com id.pinterest.com ie.pinterest.com in.pinterest.com it.pinterest.com kr.pinterest.com
          mx.pinterest.com nl.pinterest.com nz.pinterest.com ph.pinterest.com pt.pinterest.com ru.pinterest.com
          se.pinterest.com pin.it com.pinterest
      pixelfed.social = pixelfed.de pxlmo.com metapixl.com pix.toot.wales pixelfed.uno pixey.org
      plus.google.com = url.google.com com.google.android.apps.plus
      reddit.com = np.reddit.com pay.reddit.com com.reddit.frontpage redd.it
      snapchat.com = com.snapchat.android
      soundcloud.com = gate.sc
      t.me = telegram.org telegram.me web.telegram.org org.telegram.messenger
      threads.net = threads.com
      tiktok.com = com.zhiliaoapp.musically
      tumblr.com = t.umblr.com
      vk.com = vkontakte.ru
      wechat.com = mp.weixin.qq.com open.weixin.qq.com channels.weixin.qq.com
      weibo.com = t.cn weibo.cn com.sina.weibo
      whatsapp.com = wa.me com.whatsapp
      x.com = twitter.com t.co com.twitter.android
      youtube.com = youtu.be
    `,
    `
      badoo.com band.us bebo.com bilibili.com blackplanet.com buzznet.com classmates.com douban.com douyin.com
      douyu.com dribbble.com fetlife.com flickr.com flixster.com fotolog.com foursquare.com friendsreunited.com
      friendster.com gab.com gaiaonline.com geni.com github.com global.cyworld.com gree.jp habbo.com hi5.com huya.com
      hyves.nl identi.ca kakao.com lang-8.com line.me lobste.rs login.tagged.com medium.com meinvz.net mewe.com
      missevan.com mixi.jp moikrug.ru multiply.com my.mail.ru myheritage.com mylife.ru myspace.com myyearbook.com
      netlog.com news.ycombinator.com nextdoor.com nicovideo.jp nk.pl orkut.com peepeth.com plaxo.com producthunt.com
      quora.com qzone.qq.com renren.com skyrock.com slideshare.net sonico.com sourceforge.net stackoverflow.com
      studivz.net stumbleupon.com taringa.net truthsocial.com tuenti.com twitcasting.tv twitch.tv v2ex.com viadeo.com
      vimeo.com vkrugudruzei.ru wayn.com weeworld.com workplace.com xanga.com xiaohongshu.com xing.com zhihu.com
    `,
  ],
  assistant: [
    `
      chatgpt.com = chat.openai.com labs.openai.com com.openai.chatgpt
      chatplus.com = chat-gpt.org
      claude.ai = com.anthropic.claude
      copilot.microsoft.com = copilot.com m365.cloud.microsoft com.microsoft.copilot
      gemini.google.com = bard.google.com com.google.android.apps.bard
      kimi.com = kimi.moonshot.cn kimi.ai
      perplexity.ai = ai.perplexity.app.android
      yiyan.baidu.com = ai.baidu.com
    `,
    `
      andisearch.com app.jasper.ai app.writesonic.com character.ai chat.deepseek.com chat.mistral.ai chat.qwen.ai
      chatglm.cn doubao.com duck.ai felo.ai genspark.ai grok.com iask.ai meta.ai notebooklm.google.com phind.com pi.ai
      poe.com you.com yuanbao.tencent.com
    `,
  ],
} as const;
